import { plainLine } from '@millseal/proof'

/** What every mail about an event or a certificate looks like; whatever is put into it is text. */
export type MailLook = {
  /** RFC 5646; of the words around the facts. */
  readonly language: string
  readonly heading: string
  readonly before: readonly string[]
  readonly facts: readonly (readonly [label: string, value: string])[]
  readonly after: readonly string[]
  readonly link: { readonly label: string; readonly url: string }
  readonly footer: readonly string[]
}

const longestValue = 300

/** The same mail twice: for programs that show no markup, and for those that do. */
export const drawMail = (look: MailLook): { readonly text: string; readonly html: string } => {
  const shown = { ...look, facts: look.facts.map(([label, value]) => [label, oneLine(value)] as const) }
  return { text: textOf(shown), html: htmlOf(shown) }
}

/** A value cannot pose as a line of ours, nor fill the mail. */
export const oneLine = (text: string, longest: number = longestValue): string => plainLine(text, longest)

const textOf = ({ heading, before, facts, after, link, footer }: MailLook): string => {
  const width = Math.max(0, ...facts.map(([label]) => label.length)) + 2
  return [
    heading,
    '',
    ...before.flatMap((line) => [line, '']),
    ...facts.map(([label, value]) => `${label.padEnd(width)}${value}`),
    '',
    ...after.flatMap((line) => [line, '']),
    `${link.label}:`,
    link.url,
    '',
    '-- ',
    ...footer,
  ].join('\n')
}

/** Tables and inline styles: that is what mail programs agree on. Nothing is loaded from anywhere. */
const htmlOf = ({ language, heading, before, facts, after, link, footer }: MailLook): string => {
  const paragraph = (line: string): string => `<p style="margin:0 0 16px">${escape(line)}</p>`
  const rows = facts.map(
    ([label, value]) =>
      `<tr><td style="padding:4px 16px 4px 0;color:#5b6470;vertical-align:top;white-space:nowrap">${escape(label)}</td>` +
      `<td style="padding:4px 0;word-break:break-word">${escape(value)}</td></tr>`,
  )
  return [
    `<!doctype html><html lang="${escape(language)}"><head><meta charset="utf-8"><title>${escape(heading)}</title></head>`,
    '<body style="margin:0;background:#f3f5f7;color:#1b2430;font:16px/1.5 sans-serif">',
    '<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center" style="padding:24px 12px">',
    '<table role="presentation" width="600" cellspacing="0" cellpadding="0" style="max-width:100%;background:#ffffff">',
    '<tr><td style="padding:32px">',
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escape(heading)}</h1>`,
    ...before.map(paragraph),
    rows.length === 0
      ? ''
      : `<table cellspacing="0" cellpadding="0" style="margin:0 0 16px;font-size:15px">${rows.join('')}</table>`,
    ...after.map(paragraph),
    `<p style="margin:0"><a href="${escape(link.url)}" style="color:#0b5cad">${escape(link.label)}</a></p>`,
    '</td></tr></table>',
    `<p style="margin:16px 0 0;color:#5b6470;font-size:13px">${footer.map(escape).join('<br>')}</p>`,
    '</td></tr></table></body></html>',
  ].join('\n')
}

const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
