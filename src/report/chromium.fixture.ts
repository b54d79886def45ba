import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";

export const executablePath = "/usr/bin/chromium";

const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args: quiet });
}

/** Of a telephone, a tablet and a screen, in pixels. */
export const widths = [390, 820, 1440] as const;

/** Runs inside the page: unfolds all, or folds all. */
export function setFolds(isOpen: boolean): void {
  for (const fold of document.querySelectorAll("details")) fold.open = isOpen;
}
