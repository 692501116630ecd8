/** Files on the reader's disk. */

export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export const saveText = (name: string, text: string, type = "text/plain"): void => saveFile(name, new Blob([text], { type }));

const SHARPNESS = 2; // pixels for each px of the drawing

/** A drawing (SVG) as PNG: most messengers show no other. */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SHARPNESS * image.width;
  canvas.height = SHARPNESS * image.height;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}
