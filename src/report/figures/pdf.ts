import type { Figure } from "./figure.ts";
import { heightOf, standaloneSvg } from "./standalone.ts";

/**
 * The figure as a PDF of one page of its size, a pixel a point. The same figure gives the same bytes: the file's date is
 * always 1970. The letters are those of Helvetica, which every reader has.
 */
export async function figurePdf(figure: Figure): Promise<Uint8Array> {
  // Loaded here: only who wants figures waits for it.
  const [{ default: PdfDocument }, { default: drawSvg }] = await Promise.all([
    import("pdfkit"),
    import("svg-to-pdfkit"),
  ]);
  const document = new PdfDocument({
    size: [figure.width, heightOf(figure)],
    margin: 0,
    info: { Title: figure.title, CreationDate: new Date(0) },
  });
  const chunks: Buffer[] = [];
  document.on("data", (chunk: Buffer) => chunks.push(chunk));
  const written = new Promise<void>((resolve, reject) => {
    document.on("end", resolve);
    document.on("error", reject);
  });
  drawSvg(document, inHelvetica(standaloneSvg(figure)), 0, 0, { assumePt: true });
  document.end();
  await written;
  return Buffer.concat(chunks);
}

/** Helvetica as PDF has it knows the letters of Windows-1252: a minus is written as the dash of its length. */
function inHelvetica(svg: string): string {
  return svg.replaceAll("−", "–").replaceAll("≤", "&lt;=").replaceAll("≥", "&gt;=");
}
