import { createHash } from 'node:crypto'

/** One style sheet for screen and print. Nothing is loaded, so the fonts are those of the reader's device. */
const css = `
:root{--ink:#16202b;--soft:#566370;--faint:#65707c;--rule:#d9dfe5;--faintrule:#edf0f3;--tint:#f5f7f9;--own:#0e4a6b;--accent:var(--own);--warn:#9a3412}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;background:#e9edf1}
body{margin:0;color:var(--ink);font:400 13px/1.45 "IBM Plex Sans","Inter","Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","Noto Sans SC","PingFang SC","Microsoft YaHei",sans-serif;font-variant-numeric:tabular-nums lining-nums;font-feature-settings:"tnum","lnum"}
.page{position:relative;max-width:60rem;margin:2rem auto;padding:3rem 3.25rem 2.25rem;background:#fff;box-shadow:0 1px 2px #16202b1f,0 12px 40px #16202b14;overflow-wrap:anywhere}
.second{color:var(--faint);font-style:italic;font-weight:400}
.code{color:var(--accent);font-size:.72em;font-weight:500;letter-spacing:.02em;margin-right:.45em;white-space:nowrap}
header{display:grid;grid-template-columns:1fr auto;gap:1.5rem 2.5rem;align-items:start;padding-bottom:1.5rem;border-bottom:2px solid var(--accent)}
h1{margin:0;font-size:1.95rem;line-height:1.15;font-weight:600;letter-spacing:-.015em;color:var(--accent);overflow-wrap:break-word}
h1 .second{display:block;margin-top:.15rem;font-size:.62em;letter-spacing:0}
.standard{margin:.5rem 0 0;color:var(--soft);font-size:1rem}
.logo{max-width:15rem;max-height:5rem;object-fit:contain;object-position:right top;display:block}
.facts{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.35rem 2.75rem;margin:0;align-items:flex-end}
.facts dt{font-size:.78rem;color:var(--soft)}
.facts dd{margin:0;font-size:1.12rem;font-weight:600}
.parties{display:grid;grid-template-columns:repeat(auto-fit,minmax(11.5rem,1fr));gap:1.25rem 1.75rem;margin:1.6rem 0 .4rem}
.party{border-top:1px solid var(--accent);padding-top:.55rem;break-inside:avoid}
.party h3{margin:0 0 .3rem;font-size:.78rem;font-weight:500;color:var(--soft)}
.party strong{display:block;font-size:1.04rem;font-weight:600}
.party p{margin:0}
.party p span{color:var(--faint);margin-right:.4em}
section{margin-top:1.9rem}
h2{margin:0 0 .55rem;padding-bottom:.3rem;border-bottom:1px solid var(--rule);font-size:1.12rem;font-weight:600;color:var(--accent);break-after:avoid}
h2 .second{margin-left:.55em;font-size:.88em}
h3.head{margin:1.15rem 0 .35rem;font-size:.98rem;font-weight:600;break-after:avoid}
h3.head .second{margin-left:.45em}
dl.fields{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2.25rem;margin:0}
dl.fields>div{display:grid;grid-template-columns:minmax(0,11fr) minmax(0,12fr);gap:.9rem;padding:.3rem 0;border-bottom:1px solid var(--faintrule);break-inside:avoid}
dl.fields>div.long{grid-column:1/-1;grid-template-columns:minmax(0,11fr) minmax(0,37fr)}
dt{color:var(--soft);line-height:1.3;overflow-wrap:break-word;hyphens:auto}
dt .second{display:block;font-size:.88em}
dd{margin:0;font-weight:500;white-space:pre-line}
.unit{color:var(--soft);font-weight:400;margin-left:.3em}
.wide{overflow-x:auto;margin:.7rem 0 1rem}
table{border-collapse:collapse;width:100%;font-size:.94em;line-height:1.35}
table.compact{width:auto;min-width:46%}
caption{caption-side:top;text-align:left;padding:.25rem 0 .35rem;font-weight:600;font-size:1.04em;break-after:avoid}
caption .second{margin-left:.45em}
thead{display:table-header-group}
th{padding:.34rem .55rem;font-weight:500;text-align:left;vertical-align:bottom;color:var(--soft);border-bottom:1.5px solid var(--ink);overflow-wrap:normal;hyphens:auto}
th .second{display:block;font-size:.9em}
th .code{display:block;margin:0}
th .unit{display:block;margin:0;font-size:.88em;color:var(--faint)}
td{padding:.3rem .55rem;overflow-wrap:break-word;vertical-align:top;border-bottom:1px solid var(--rule);white-space:pre-line}
th:first-child,td:first-child{padding-left:0}
th:last-child,td:last-child{padding-right:0}
.any{overflow-wrap:anywhere}
.end{text-align:right;white-space:nowrap;overflow-wrap:normal}
tr{break-inside:avoid}
tr.requirement td{color:var(--soft);background:var(--tint)}
tr.result td{font-weight:600}
tbody tr:last-child td{border-bottom:1px solid #aeb8c2}
p.text{margin:.45rem 0;max-width:48rem;white-space:pre-line}
.data{font-size:.78em;color:var(--soft)}
.technical{margin:1.2rem 0 0;font-size:.68rem;color:var(--faint)}
.declaration>h2+p.text,.declaration>h2+p.text+p.text{font-size:1.06rem;line-height:1.5;padding-left:.9rem;border-left:2px solid var(--accent)}
figure{display:inline-block;margin:.8rem 2rem .4rem 0;vertical-align:bottom;break-inside:avoid}
figure img{display:block;max-width:15rem;max-height:9rem}
figcaption{margin-top:.25rem;font-size:.85em;color:var(--soft)}
.missing{display:inline-block;padding:.7rem 1rem;border:1px dashed var(--warn);color:var(--warn);font-size:.92em;max-width:18rem}
.missing .second{display:block;color:inherit}
ul.files{list-style:none;margin:0;padding:0}
ul.files li{padding:.3rem 0;border-bottom:1px solid var(--faintrule)}
ul.files span{color:var(--soft);margin-left:.75em}
ul.files .file{margin:0;font-size:.85em;color:var(--faint)}
.line{margin:2.4rem 0 0;color:var(--soft);font-size:.92em}
.line .second{display:block}
footer{display:flex;gap:1.4rem;align-items:center;margin-top:2.4rem;padding-top:1rem;border-top:1px solid var(--rule);color:var(--soft);font-size:.86rem;break-inside:avoid}
footer img{width:5.2rem;height:5.2rem;flex:none}
footer p{margin:.1rem 0}
footer a{color:var(--accent);text-decoration:none;border-bottom:1px solid var(--rule)}
footer code{font:500 .95em/1.4 "IBM Plex Mono",ui-monospace,Menlo,Consolas,monospace;color:var(--ink);word-spacing:-.15em}
.test{position:fixed;inset:0;display:flex;align-items:center;justify-content:center;pointer-events:none;font-size:26vmin;font-weight:700;letter-spacing:.08em;color:#9a341214;transform:rotate(-30deg);z-index:2}
.draft{font-size:16vmin}
.testnote{margin:0 0 1.4rem;padding:.45rem .8rem;border-left:3px solid var(--warn);background:#fdf4ef;color:var(--warn);font-weight:500}
.testnote .second{display:block;color:inherit}
@media (max-width:44rem){.page{margin:0;padding:1.4rem 1.15rem}header,dl.fields{grid-template-columns:minmax(0,1fr)}.logo{object-position:left top}dl.fields>div,dl.fields>div.long{grid-template-columns:minmax(0,10fr) minmax(0,13fr)}}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e6ebf0;--soft:#b3bdc7;--faint:#9aa6b1;--rule:#3a4650;--faintrule:#2a343e;--tint:#232c35;--accent:color-mix(in srgb,var(--own) 35%,#fff);--warn:#f0a37f}html{background:#10161c}.page{background:#19212a;box-shadow:none}.testnote{background:#3a2419}.test{color:#f0a37f14}.logo,figure img,footer img{background:#fff;padding:.3rem}}
@media print{@page{size:A4;margin:15mm 14mm 17mm;@bottom-right{content:counter(page) " / " counter(pages);font:9pt "IBM Plex Sans",Arial,sans-serif;color:#5b6875}}html{background:#fff}body{font-size:9.2pt}.page{max-width:none;margin:0;padding:0;box-shadow:none}.wide{overflow:visible}tr.requirement td,.testnote{-webkit-print-color-adjust:exact;print-color-adjust:exact}h1{font-size:20pt}section{margin-top:14pt}}
`.trim()

/** The style sheet with the accent of a company: a colour and nothing else. */
export const styleSheet = (accent: string | undefined): string =>
  accent === undefined || !/^#[0-9a-f]{6}$/i.test(accent) ? css : `${css}:root{--own:${accent}}`

/** Allows this style sheet only, so a certificate cannot inject another one. */
export const hashOf = (sheet: string): string => (sheet === css ? hashOfOwn : hashOfSheet(sheet))

const hashOfSheet = (sheet: string): string =>
  `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`

const hashOfOwn = hashOfSheet(css)
