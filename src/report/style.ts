/**
 * The report's one style sheet.
 *
 * Text has at least 4.5 : 1 against its ground, lines and markers 3 : 1, in
 * light and in dark; the series' hues are told apart with the common kinds of
 * colour blindness (after Okabe and Ito, darkened or lightened for contrast).
 * Green is for gains that are claimed, and never without a sign or a word.
 *
 * Where a table is wider than the page, a shadow at the right edge says that it
 * scrolls: it belongs to the edge, and the cover above it to the end of the table.
 */
const light = `
--ground:#fff;--panel:#f5f7f9;--text:#1b2127;--muted:#525c66;--rule:#d5dbe1;--grid:#e6eaee;--accent:#0b5cad;
--gain:#116329;--caution:#fff4d6;--no:#a40e26;--shadow:#1b212766;
--series-0:#0067a8;--series-1:#c44d00;--series-2:#00805c;--series-3:#a8377c;--series-4:#7d6200;--series-5:#3489bd;--series-6:#6a3fb5;--series-7:#4a4f55;--farm-ordinary:#a9bccd;--farm-ground:#eef1f4;`;
const dark = `
--ground:#14181d;--panel:#1d232a;--text:#e8ecf0;--muted:#a9b4bf;--rule:#39424c;--grid:#2a323a;--accent:#7cbcff;
--gain:#6fd68b;--caution:#362e12;--no:#ff9aa5;--shadow:#e8ecf080;
--series-0:#58b4f0;--series-1:#ff9a52;--series-2:#3fd0a0;--series-3:#f09ccb;--series-4:#e3c64c;--series-5:#a6d8ff;--series-6:#bda0ff;--series-7:#cdd4da;--farm-ordinary:#4f6478;--farm-ground:#242c34;`;

export const lightColours = light;
export const darkColours = dark;

export const style = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
@media (forced-colors:active){:root{--ground:Canvas;--panel:Canvas;--text:CanvasText;--muted:CanvasText;--rule:CanvasText;--grid:GrayText;--gain:CanvasText;--no:CanvasText;--caution:Canvas;--accent:LinkText}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
header,main{max-width:1344px;margin:0 auto;padding:0 24px;overflow-wrap:break-word}
main{padding-bottom:48px}
h1{font-size:1.05rem;font-weight:600;line-height:1.3;margin:16px 0 0}
h2{font-size:1.3rem;margin:32px 0 8px}
h3{font-size:1rem;margin:24px 0 8px}
p,li,dd{max-width:80ch}
p{margin:8px 0}
header p{margin:0;color:var(--muted);font-size:.9rem;max-width:none}
nav{display:flex;flex-wrap:wrap;gap:2px 18px;font-size:.9rem;margin-top:8px}
a{color:var(--accent)}
.banner{position:sticky;top:0;z-index:1;padding:4px 16px;background:var(--caution);border-bottom:2px solid var(--no);text-align:center;font-weight:600;font-size:.9rem}
.unseen,#verdict>h2{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.decision{font-size:1.9rem;font-weight:650;line-height:1.2;margin:14px 0 12px;max-width:none}
.tiles{display:grid;grid-template-columns:repeat(3,1fr);gap:12px;margin:0 0 20px}
.tile{padding:12px 16px 14px;border:1px solid var(--rule);border-radius:6px;background:var(--panel)}
.tile dt{font-size:.85rem;font-weight:600;color:var(--muted)}
.tile dd{font-size:.9rem;margin:0;line-height:1.4}
.tile .answer{font-size:1.45rem;font-weight:650;line-height:1.25;margin:2px 0 4px}
.tile.gain{border-left:5px solid var(--gain)}
.tile .to{font-weight:400;color:var(--muted)}
.gain .sign,td.gain{color:var(--gain);font-weight:600}
.beside{display:grid;grid-template-columns:minmax(0,1fr) 440px;gap:8px 48px;align-items:start}
.beside figure{margin-top:0}
.headline{font-size:1.1rem;margin:0 0 12px;padding:0 0 0 14px;border-left:4px solid var(--accent)}
.headline.synthetic{border-left-color:var(--no)}
.gloss{color:var(--muted)}
.caution{background:var(--caution);padding:8px 14px;margin:0 0 12px;font-size:.9rem;border-radius:4px}
.caution p{margin:0}
.caution ul{margin:2px 0;padding-left:1.2em}
.caution li{margin:3px 0}
.interest{font-size:.85rem;font-weight:600;color:var(--muted);margin:22px 0 6px}
.folded{border-top:1px solid var(--rule)}
.folded>details>summary{display:grid;grid-template-columns:1.2em minmax(0,17em) minmax(0,1fr);gap:0 10px;align-items:baseline;padding:9px 8px;list-style:none}
.folded>details>summary::-webkit-details-marker{display:none}
.folded>details>summary::before{content:"▸";color:var(--accent)}
.folded>details[open]>summary::before{content:"▾"}
.folded>details>summary:hover{background:var(--panel)}
.folded h2{font-size:1rem;margin:0}
.finding{color:var(--muted);font-size:.95rem}
.body{padding:4px 8px 28px}
summary{cursor:pointer}
summary:focus-visible,.scroll:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:-1px}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,390px),1fr));gap:16px 40px;align-items:start}
.grid table{font-size:.84rem}
.grid :is(th,td){padding:3px 8px}
.grid thead th{min-width:0}
.grid tbody th{min-width:6em}
.grid:has(>figure.table){grid-template-columns:repeat(auto-fill,minmax(min(100%,560px),1fr))}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,290px),1fr));gap:8px 20px}
.panels>.chart{max-width:420px}
figure{margin:12px 0;max-width:480px;min-width:0}
figure.wide,figure.table{max-width:none}
figcaption{color:var(--muted);font-size:.88rem;margin-top:4px;max-width:80ch}
.values{font-size:.88rem}
.values>summary{color:var(--accent);padding:2px 0;width:max-content}
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
.legend{display:flex;flex-wrap:wrap;gap:2px 18px;margin:4px 0;font-size:.88rem;max-width:none}
.swatch{width:26px;height:12px;margin-right:6px;vertical-align:-1px;flex:none;fill:none}
.swatch[viewBox="0 0 12 12"]{width:12px}
.scroll{overflow-x:auto;max-width:100%;background:linear-gradient(to left,var(--ground) 60%,transparent) right/48px 100% no-repeat local,linear-gradient(to left,var(--shadow),transparent) right top/20px calc(100% - 1px) no-repeat scroll}
table{border-collapse:collapse;font-size:.9rem}
th,td{padding:4px 10px;text-align:left;vertical-align:top;border-bottom:1px solid var(--grid)}
thead :is(th,td){vertical-align:bottom;border-bottom:2px solid var(--rule);font-weight:600}
thead th{min-width:5em;max-width:11em}
tbody th{font-weight:500;position:sticky;left:0;background:var(--ground);max-width:20em;overflow-wrap:break-word}
tbody th:has(.swatch){min-width:11em}
th.n,td.n{text-align:right}
td.n,td.short,.w{white-space:nowrap}
td:not(.n,.short){min-width:9em;max-width:44em;overflow-wrap:break-word}
thead td{min-width:0}
.mark{margin-right:-.3em}
.group th{background:var(--panel);font-weight:600;padding-top:8px}
.dense table{font-size:.82rem}
.dense th,.dense td{padding:3px 8px}
.dense thead th{min-width:0;max-width:8.5em}
.judged{white-space:nowrap;font-weight:600}
.yes{color:var(--gain)}.no{color:var(--no)}.open{color:var(--muted)}
.terms{font-size:.92rem;columns:2;column-gap:40px;margin:8px 0}
.terms dt{font-weight:600;break-after:avoid}
.terms dd{margin:0 0 8px;break-inside:avoid}
pre{background:var(--panel);padding:12px 14px;white-space:pre-wrap;overflow-wrap:break-word;font-size:.88rem;border-radius:4px}
@media (max-width:900px){
.beside{grid-template-columns:minmax(0,1fr)}
.folded>details>summary{grid-template-columns:1.2em minmax(0,1fr)}
.finding{grid-column:2}
.terms{columns:1}
}
@media (max-width:700px){
header,main{padding:0 16px}
h1{margin-top:10px}
header p{font-size:.8rem;line-height:1.35}
.decision{font-size:1.35rem;margin:10px 0 8px}
.tiles{grid-template-columns:minmax(0,1fr);gap:8px;margin-bottom:12px}
.tile{padding:8px 12px}
.tile .answer{font-size:1.2rem;margin:0}
.tile dd{font-size:.85rem;line-height:1.35}
.headline{font-size:1rem}
.body{padding:4px 0 20px}
th,td{padding:4px 6px}
thead th{min-width:0}
tbody th,tbody th:has(.swatch){min-width:6.5em;max-width:9.5em}
tbody .swatch{display:none}
td:not(.n,.short){min-width:7em}
#gains .grid :is(th,td):last-child{display:none}
#gains :is(th,td){padding:4px 5px}
#gains thead .w{white-space:normal}
.interest{margin:16px 0 4px}
.folded>details>summary{padding:7px 4px}
.finding{font-size:.85rem;line-height:1.35}
}
@media screen and (max-width:700px){
.folded>details:not([open]) .finding{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
}
@page{margin:14mm}
@media print{
:root{color-scheme:light;${light}}
html{font-size:10.5pt}
body{font-size:1rem}
header,main{max-width:none;padding:0}
nav,.values{display:none}
pre{font-size:7.5pt}
details::details-content{content-visibility:visible;block-size:auto;opacity:1}
.folded>details>summary::before{content:""}
.banner{position:static}
.interest{break-after:avoid}
figure:not(.table,.wide),tr,.caution,.headline,.tile{break-inside:avoid}
.panels{grid-template-columns:repeat(3,1fr)}
.panels.farms{grid-template-columns:repeat(4,1fr)}
.panels .chart{break-inside:avoid}
.grid,.grid:has(>figure.table){grid-template-columns:1fr 1fr}
.tiles{grid-template-columns:repeat(3,1fr)}
h2,h3,.legend,summary{break-after:avoid}
.scroll{overflow:visible;background:none}
table{font-size:7.8pt}
th,td{padding:2px 4px}
thead th{min-width:0;max-width:7em}
td:not(.n,.short){min-width:0}
.grid table{font-size:7pt}
.grid :is(th,td,tbody th){padding:2px 4px;min-width:0}
.dense table{font-size:6.6pt}
.dense th,.dense td{padding:2px 3px}
.dense .swatch{display:none}
figure.table>figcaption{break-after:avoid}
td.short{white-space:normal}
tbody th,tbody th:has(.swatch),.dense tbody th{min-width:6em;position:static;white-space:normal;overflow-wrap:anywhere}
*{print-color-adjust:exact}
}
`;
