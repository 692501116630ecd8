/*
 * Browsers start no worker from the file system. Where a page is opened from there, the search, which is one, runs in a
 * hidden frame instead. The theme looks for the name IFrameWorker in the page around it.
 */
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = []; // messages from before the script was there
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      this.frame.contentDocument.open(); // else Firefox puts another empty document there later
      this.frame.contentDocument.write("<!doctype html><body>");
      this.frame.contentDocument.close();
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) => Promise.all(urls.map((one) => this.load(one)));
      this.load(url).then(() => {
        this.inside = inside;
        for (const data of this.waiting) this.tell(data);
      });
    }

    load(url) {
      return new Promise((resolve, reject) => {
        const script = this.frame.contentDocument.createElement("script");
        script.src = url;
        script.onload = resolve;
        script.onerror = reject;
        this.frame.contentDocument.body.append(script);
      });
    }

    tell(data) {
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }

    postMessage(data) {
      if (this.inside) this.tell(data);
      else this.waiting.push(data);
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
