/**
 * The report's one style sheet.
 *
 * Text has at least 4.5 : 1 against its ground, lines and markers 3 : 1, in
 * light and in dark; the series' hues are told apart with the common kinds of
 * colour blindness (after Okabe and Ito, darkened or lightened for contrast).
 *
 * Where a table is wider than the page, a shadow at the right edge says that it
 * scrolls: it belongs to the edge, and the cover above it to the end of the table.
 */
const light = `
--ground:#fff;--panel:#f5f7f9;--text:#1b2127;--muted:#525c66;--rule:#d5dbe1;--grid:#e6eaee;--accent:#0b5cad;
--best:#e3f1e6;--caution:#fff4d6;--yes:#116329;--no:#a40e26;--shadow:#1b212766;
--series-0:#0067a8;--series-1:#c44d00;--series-2:#00805c;--series-3:#a8377c;--series-4:#7d6200;--series-5:#3489bd;--series-6:#6a3fb5;--series-7:#4a4f55;--farm-ordinary:#a9bccd;--farm-ground:#eef1f4;`;
const dark = `
--ground:#14181d;--panel:#1d232a;--text:#e8ecf0;--muted:#a9b4bf;--rule:#39424c;--grid:#2a323a;--accent:#7cbcff;
--best:#17402a;--caution:#453a14;--yes:#6fd68b;--no:#ff9aa5;--shadow:#e8ecf080;
--series-0:#58b4f0;--series-1:#ff9a52;--series-2:#3fd0a0;--series-3:#f09ccb;--series-4:#e3c64c;--series-5:#a6d8ff;--series-6:#bda0ff;--series-7:#cdd4da;--farm-ordinary:#4f6478;--farm-ground:#242c34;`;

export const lightColours = light;
export const darkColours = dark;

export const style = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
header,main{max-width:1120px;margin:0 auto;padding:0 16px;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:28px 0 4px}
h2{font-size:1.3rem;margin:40px 0 12px;padding-top:12px;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;margin:24px 0 8px}
header p{margin:0 0 12px;color:var(--muted)}
nav{display:flex;flex-wrap:wrap;gap:2px 18px;font-size:.9rem}
a{color:var(--accent)}
.banner{position:sticky;top:0;z-index:1;margin:0;padding:6px 16px;background:var(--caution);border-bottom:2px solid var(--no);text-align:center;font-weight:600}
.headline{font-size:1.35rem;line-height:1.4;margin:0 0 12px;padding:16px 18px;background:var(--panel);border-left:5px solid var(--accent)}
.headline.synthetic{border-left-color:var(--no)}
summary{cursor:pointer;padding:4px 0}
details{margin:4px 0}
.gloss{color:var(--muted);margin:8px 0}
.caution{background:var(--caution);padding:8px 14px;margin:8px 0}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:16px 28px}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,280px),1fr));gap:8px 16px}
figure{margin:12px 0;max-width:480px;min-width:0}
figure.wide,figure.table{max-width:none}
figcaption{color:var(--muted);font-size:.88rem;text-align:left}
figcaption{margin-top:4px}
.chart{display:block;width:100%;height:auto;font-size:12px}
.chart text{fill:var(--text)}
.chart .tick,.chart .axis{fill:var(--muted)}
.chart .axis{font-weight:600}
.chart .grid{stroke:var(--grid);fill:none}
.chart .base,.chart .range,.chart .leader{stroke:var(--muted);fill:none}
.chart .leader{stroke-width:.6;opacity:.7}
.chart .range{stroke-width:1}
.chart .zero{stroke:var(--text);stroke-width:1.4;fill:none}
.chart .whisker{stroke:var(--text);stroke-width:1.4;fill:none}
.chart .line{fill:none;stroke-linejoin:round}
.chart .bar{fill:var(--series-5)}
.chart .bar.best{fill:var(--series-0)}
.farm{display:block;width:100%;height:auto}
.farm-ground{fill:var(--farm-ground)}
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;margin:4px 0;font-size:.9rem}
.swatch{width:26px;height:12px;margin-right:6px;vertical-align:-1px;flex:none;fill:none}
.swatch[viewBox="0 0 12 12"]{width:12px}
.scroll{overflow-x:auto;max-width:100%;background:linear-gradient(to left,var(--ground) 60%,transparent) right/48px 100% no-repeat local,linear-gradient(to left,var(--shadow),transparent) right top/20px calc(100% - 1px) no-repeat scroll}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid);overflow-wrap:break-word}
thead th{min-width:5.5em;vertical-align:bottom;border-bottom:2px solid var(--rule);font-weight:600}
tbody th{font-weight:500;position:sticky;left:0;background:var(--ground)}
tbody th:has(.swatch){min-width:11em}
th.n,td.n{text-align:right}
td.n,td.short{white-space:nowrap}
td.best{background:var(--best)}
.mark{margin-right:-.3em}
.group th{background:var(--panel);font-weight:600;padding-top:8px}
.dense table{font-size:.8rem}
.dense th,.dense td{padding:4px 6px;min-width:0}
.dense thead th{max-width:8.5em}
.dense tbody th{white-space:nowrap}
.judged{white-space:nowrap;font-weight:600}
.yes{color:var(--yes)}.no{color:var(--no)}.open{color:var(--muted)}
dl{display:grid;grid-template-columns:minmax(120px,max-content) 1fr;gap:6px 18px;font-size:.92rem}
dt{font-weight:600}dd{margin:0}
pre{background:var(--panel);padding:12px 14px;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.88rem}
@media (max-width:600px){dl{grid-template-columns:1fr}dd{margin-bottom:8px}.headline{font-size:1.15rem}th,td{padding:5px 6px}thead th{min-width:0}#gains :is(th,td):last-child{display:none}#gains tbody th{overflow-wrap:anywhere}.dense tbody th{white-space:normal}}
@page{margin:14mm}
@media print{
:root{color-scheme:light;${light}}
html{font-size:10.5pt}
body{font-size:1rem}
header,main{max-width:none;padding:0}
nav{display:none}
figure:not(.table,.wide),tr,.caution,.headline{break-inside:avoid}
.panels{grid-template-columns:repeat(3,1fr)}
.panels.farms{grid-template-columns:repeat(4,1fr)}
.panels .chart{break-inside:avoid}
.grid{grid-template-columns:1fr 1fr}
h2,h3,.legend{break-after:avoid}
.scroll{overflow:visible;background:none}
table{font-size:8.5pt}
.dense table{font-size:6.6pt}
.dense th,.dense td{padding:2px 3px}
.dense .swatch{display:none}
figure.table>figcaption{break-after:avoid}
td.short{white-space:normal}
tbody th,tbody th:has(.swatch),.dense tbody th{min-width:8em;position:static;white-space:normal;overflow-wrap:anywhere}
*{print-color-adjust:exact}
}
`;
