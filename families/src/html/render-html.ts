import { type Labeler, noLabels } from '../labels/labels.ts'
import { labelsOf } from '../labels/shared-labels.ts'
import type { DocumentModel, Party } from '../model/document.ts'
import { fileSize } from '../model/file-size.ts'
import { technicalText } from '../model/technical-text.ts'
import { dataAddress, type Markup, markup, styleElement } from './markup.ts'
import { renderPicture, renderSection, renderText } from './render-blocks.ts'
import { hashOf, styleSheet } from './style.ts'

/** A draft is marked all over, and has nothing to verify it by. */
export type HtmlOptions = { readonly mode: 'test' | 'live' } & (Verifiable | { readonly isDraft: true })

type Verifiable = {
  /** SHA-256 of the certificate in hex. */
  readonly hash: string
  readonly verifyUrl: string
  readonly qrSvg?: string
}

const sourceOf = (sheet: string): string =>
  `default-src 'none'; img-src data:; style-src ${hashOf(sheet)}; base-uri 'none'; form-action 'none'`

/** The Content-Security-Policy header for such a page: it can load nothing, run nothing and submit nothing. */
export const htmlPolicy = ({ look }: { readonly look?: DocumentModel['look'] }): string =>
  `${sourceOf(styleSheet(look?.accent))}; frame-ancestors 'self'; sandbox allow-popups`

/** Renders the document as one self-contained page. The same input gives the same bytes. */
export const renderHtml = (document: DocumentModel, options: HtmlOptions): string => {
  const { languages, sections, look } = document
  const sheet = styleSheet(look?.accent)
  const { label } = labelsOf({ schema: noLabels, family: noLabels }, languages)
  const isTest = options.mode === 'test'
  const mark =
    'isDraft' in options ? { of: 'test draft', text: label('DraftMark')[0] } : { of: 'test', text: 'TEST' }
  const notes = [...('isDraft' in options ? ['Draft'] : []), ...(isTest ? ['TestMode'] : [])]
  const technical = technicalText(document)
  const page = markup`<!doctype html>
<html lang="${languages[0] ?? 'en'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${sourceOf(sheet)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${[document.title[0], document.number].filter((text) => text !== undefined).join(' ')}</title>
${styleElement(sheet)}
</head>
<body>
${notes.length === 0 ? undefined : markup`<div class="${mark.of}" aria-hidden="true">${mark.text}</div>`}
<main class="page">
${notes.map((name) => markup`<p class="testnote">${renderText(label(name), languages)}</p>`)}
${renderHeader(document, label)}
${document.parties.length === 0 ? undefined : markup`<div class="parties">${document.parties.map((party) => renderParty(party, languages))}</div>`}
${sections.map((section) => (section.role === 'technical' ? undefined : renderSection(section, languages)))}
${renderFiles(document, label)}
${technical === undefined ? undefined : markup`<p class="technical">${technical}</p>`}
${look?.footer === undefined ? undefined : markup`<p class="line">${renderText(look.footer, languages)}</p>`}
${'isDraft' in options ? undefined : renderFooter({ options, label, languages })}
</main>
</body>
</html>
`
  return page.toString()
}

const renderHeader = (document: DocumentModel, label: Labeler['label']): Markup => {
  const { title, standard, number, date, logo, languages } = document
  const fact = (name: string, value: string | undefined) =>
    value === undefined
      ? undefined
      : markup`<div><dt>${renderText(label(name), languages)}</dt><dd>${value}</dd></div>`
  const facts = [fact('Number', number), fact('Date', date)]
  return markup`<header><div><h1>${renderText(title, languages)}</h1>${
    standard === undefined ? undefined : markup`<p class="standard">${standard}</p>`
  }</div><div>${logo === undefined ? undefined : renderLogo(logo, languages)}</div><dl class="facts">${facts}</dl></header>`
}

const renderLogo = (logo: NonNullable<DocumentModel['logo']>, languages: readonly string[]): Markup =>
  'missing' in logo
    ? renderPicture(logo, languages)
    : markup`<img class="logo" alt="${logo.alternative.join(' / ')}" src="${dataAddress(logo.type, logo.base64)}">`

const renderParty = ({ role, code, name, lines }: Party, languages: readonly string[]): Markup =>
  markup`<div class="party"><h3>${code === undefined ? undefined : markup`<span class="code">${code}</span>`}${renderText(role, languages)}</h3><strong>${name}</strong>${lines.map(
    (line) =>
      markup`<p>${line.label === undefined ? undefined : markup`<span>${line.label[0]}</span>`}${line.value}</p>`,
  )}</div>`

const renderFiles = ({ files, languages }: DocumentModel, label: Labeler['label']): Markup | undefined =>
  files.length === 0
    ? undefined
    : markup`<section><h2>${renderText(label('Attachments'), languages)}</h2><ul class="files">${files.map(
        ({ name, type, base64, description }) =>
          markup`<li>${name}<span>${type}</span><span>${fileSize(Buffer.byteLength(base64, 'base64'), languages)}</span>${description === undefined ? undefined : markup`<br><span class="file">${description}</span>`}</li>`,
      )}</ul></section>`

const renderFooter = (from: {
  options: Verifiable
  label: Labeler['label']
  languages: readonly string[]
}): Markup => {
  const { options, label, languages } = from
  const isWeb = /^https?:\/\/[^\s"'<>]+$/.test(options.verifyUrl)
  const qr =
    options.qrSvg === undefined
      ? undefined
      : markup`<img alt="" src="data:image/svg+xml;base64,${Buffer.from(options.qrSvg).toString('base64')}">`
  const address = isWeb
    ? markup`<p>${renderText(label('Verify'), languages)}: <a href="${options.verifyUrl}" rel="noopener noreferrer" target="_blank">${options.verifyUrl}</a></p>`
    : undefined
  return markup`<footer>${qr}<div>${address}<p>${renderText(label('Fingerprint'), languages)}: <code>${grouped(options.hash)}</code></p></div></footer>`
}

/** Groups of eight digits are easier to compare. */
const grouped = (hash: string): string => hash.replaceAll(/(.{8})(?=.)/g, '$1 ')
