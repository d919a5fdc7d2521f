import type { FastifyReply } from 'fastify'
import { type Markup, markup } from '@millseal/families'
import { builtAddress } from './console/built-files.ts'
import { type PageLanguage, pageLanguageOf, pageLanguages } from './pages/page-language.ts'

export type HtmlPage = {
  readonly title: string
  readonly main: Markup
  /** If it is not the one that the browser asks for. */
  readonly language?: PageLanguage
  readonly status?: number
  /** A source file of the console. The page must also work without it. */
  readonly script?: string
  /** The address of the script of `<millseal-verify>`, which is in the content. */
  readonly verifyElement?: string
  /** For a page that is more than one form or message. */
  readonly isWide?: true
}

/** Allows no scripts, no framing, forms only to this server, and nothing from other origins. */
export const pagePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const scriptPolicy = `${pagePolicy}; script-src 'self'`

/** It asks this server for hashes, and shows a PDF from memory. */
const verifyPolicy = `${scriptPolicy.replace("img-src 'self'", "img-src 'self' data:")}; connect-src 'self'; frame-src blob:; require-trusted-types-for 'script'; trusted-types 'none'`

const policyOf = ({ script, verifyElement }: HtmlPage): string => {
  if (verifyElement !== undefined) return verifyPolicy
  return script === undefined ? pagePolicy : scriptPolicy
}

/** Sends one of the server's own pages, for people who have no session. */
export const sendHtmlPage = (reply: FastifyReply, page: HtmlPage): FastifyReply =>
  reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyOf(page))
    .header('cache-control', 'no-store')
    // With `no-referrer`, browsers would not send the Origin of our own forms.
    .header('referrer-policy', 'same-origin')
    .send(htmlPage({ ...page, language: page.language ?? pageLanguageOf(reply.request) }))

const languageLabel: Readonly<Record<PageLanguage, string>> = { en: 'Language', de: 'Sprache' }

export const htmlPage = ({
  title,
  main,
  isWide,
  language,
  script,
  verifyElement,
}: HtmlPage & { readonly language: PageLanguage }): string =>
  markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === 'Millseal' ? title : `${title} · Millseal`}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${builtAddress('look/page.css')}">
${script === undefined ? undefined : markup`<script type="module" src="${builtAddress(script)}"></script>`}
${verifyElement === undefined ? undefined : markup`<script type="module" src="${verifyElement}"></script>`}
</head>
<body${isWide === true ? markup` class="wide"` : undefined}>
<header>
<a class="brand" href="/"><img src="/favicon.svg" alt="" width="28" height="28">Millseal</a>
<nav aria-label="${languageLabel[language]}">${otherLanguages(language)}</nav>
</header>
<main>
${main}
</main>
</body>
</html>
`.toString()

/** Relative, so that the choice leads back to the same page. */
const otherLanguages = (current: PageLanguage): readonly Markup[] =>
  Object.entries(pageLanguages)
    .filter(([language]) => language !== current)
    .map(
      ([language, name]) =>
        markup`<a href="?language=${language}" lang="${language}" hreflang="${language}">${name}</a>`,
    )
