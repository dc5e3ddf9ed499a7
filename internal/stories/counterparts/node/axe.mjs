// axe-core, in the Chromium at argv[2], on each page of the files that follow: light, dark, and narrow. It
// prints how many rules were kept and what was found wrong.
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import puppeteer from "puppeteer-core";

const [executablePath, ...pages] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
const found = { passes: 0, violations: [] };
for (const file of pages) {
  for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 400]]) {
    const page = await browser.newPage();
    await page.setBypassCSP(true); // for axe, which the page would not let in
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    await page.setViewport({ width, height: 900 });
    await page.goto(pathToFileURL(file));
    await page.evaluate(axe.source);
    const { passes, violations } = await page.evaluate(() => globalThis.axe.run());
    found.passes += passes.length;
    found.violations.push(...violations.map((one) => `${scheme} ${width}: ${one.id}: ${one.help}: ${one.nodes.map((node) => node.html).join("; ").slice(0, 1000)}`));
  }
}
await browser.close();
console.log(JSON.stringify(found));
