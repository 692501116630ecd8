/** Who sits at this device. Where several people share it nobody is "you": everybody has a name. */

class Device {
  people = $state(1);

  get shared(): boolean {
    return this.people > 1;
  }
}

export const device = new Device();
