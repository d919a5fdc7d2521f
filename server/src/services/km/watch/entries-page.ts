import { limits, type Mode, modes } from '@millseal/contract'
import { type Markup, markup } from '@millseal/families'
import type { FastifyInstance } from 'fastify'
import { sendHtmlPage } from '../../../http/html-page.ts'
import { browserErrors } from '../../../http/page-errors.ts'
import { type PageLanguage, pageLanguageOf } from '../../../http/pages/page-language.ts'
import { oneLine, timeOf, withoutLinks } from '../../../lib/mail-layout.ts'
import { Problem } from '../../../lib/problem.ts'
import type { KmDependencies } from '../dependencies.ts'
import { type FeedItem, readItem } from './feed-item.ts'
import { findMentions } from './log-mentions.store.ts'
import { plainVatId } from './mentions-of.ts'

const limited = { bucket: 'ledger.feed', perMinute: limits.verifyCallsPerMinute } as const
const newest = limits.page.default

/** The page of the feed of a VAT id. Its address has no query: the choice of the language would lose it. */
export const entriesPath = (mode: Mode, vatId: string): string =>
  `/ledger/${mode}/vat-ids/${encodeURIComponent(vatId)}`

/** Shows people what a log has about a VAT id, newest first. Programs read the feed. */
export const mountEntriesPage = (server: FastifyInstance, deps: KmDependencies): void => {
  for (const mode of modes)
    server.get<{ Params: { vatId: string } }>(
      `/ledger/${mode}/vat-ids/:vatId`,
      { config: { limited }, errorHandler: browserErrors(() => undefined) },
      async (request, reply) => {
        const vatId = plainVatId(request.params.vatId)
        if (vatId === undefined) throw new Problem('not_found')
        const page = { limit: newest, after: undefined }
        const found = await findMentions(deps.database.query, { mode, subject: vatId }, page)
        const items = (await Promise.all(found.map((mention) => readItem(deps, mode, mention)))).flat()
        const language = pageLanguageOf(request)
        const title = words[language].title(vatId)
        return sendHtmlPage(reply, { title, language, main: content({ mode, title, items, language }) })
      },
    )
}

const words = {
  en: {
    title: (vatId: string) => `Entries that name ${vatId}`,
    about: (mode: Mode) => `The ${mode} ledger has them, newest first. Anybody can record an entry.`,
    none: 'There is no such entry.',
    only: 'These are the newest ones.',
    kinds: { identity: 'Identity', review: 'Review', certificate: 'Certificate', correction: 'Correction' },
    name: 'Name',
    key: 'Key',
    recorded: 'Recorded',
    transaction: 'Transaction',
  },
  de: {
    title: (vatId: string) => `Einträge, in denen ${vatId} steht`,
    about: (mode: Mode) =>
      `Sie stehen im Ledger des ${mode === 'test' ? 'Testmodus' : 'Live-Modus'}, die neuesten zuerst. Jeder kann dort etwas eintragen.`,
    none: 'Es gibt keinen solchen Eintrag.',
    only: 'Dies sind die neuesten.',
    kinds: { identity: 'Identität', review: 'Prüfung', certificate: 'Zeugnis', correction: 'Korrektur' },
    name: 'Name',
    key: 'Schlüssel',
    recorded: 'Eingetragen',
    transaction: 'Transaktion',
  },
} satisfies Record<PageLanguage, unknown>

const content = ({
  mode,
  title,
  items,
  language,
}: {
  readonly mode: Mode
  readonly title: string
  readonly items: readonly FeedItem[]
  readonly language: PageLanguage
}): Markup => {
  const t = words[language]
  return markup`<h1>${title}</h1>
<p>${t.about(mode)}</p>
${items.length === 0 ? markup`<p>${t.none}</p>` : items.map((item) => entry(item, language))}
${items.length < newest ? undefined : markup`<p class="muted">${t.only}</p>`}`
}

/** A stranger chose the name: it must not look like an address of ours. */
const entry = ({ kind, transactionId, time, signer, asset }: FeedItem, language: PageLanguage): Markup => {
  const t = words[language]
  const company = asset?.['company']
  const facts = [
    [t.name, typeof company === 'string' ? withoutLinks(oneLine(company)) : undefined],
    [t.recorded, time && timeOf(time)],
    [t.key, signer],
    [t.transaction, transactionId],
  ] as const
  return markup`<section><h2>${t.kinds[kind]}</h2>
<dl class="entry">${facts.map(([label, value]) =>
    value === undefined ? undefined : markup`<dt>${label}</dt><dd>${value}</dd>`,
  )}</dl></section>`
}
