import { chromium } from "playwright-core";
const b = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
let p = await b.newPage({ viewport: { width: 1200, height: 800 } });
await p.goto("file:///tmp/pk/multi/farm.html");
await p.evaluate(
  "document.getElementById('time').value=500; document.getElementById('time').dispatchEvent(new Event('input'))",
);
await p.screenshot({ path: "/tmp/pk/multi.png" });
p = await b.newPage({ viewport: { width: 800, height: 1100 } });
await p.emulateMedia({ media: "print" });
await p.goto("file:///tmp/pk/study/report.html");
await p.evaluate("document.querySelectorAll('h3')[0].scrollIntoView()");
await p.screenshot({ path: "/tmp/pk/print.png" });
await b.close();
