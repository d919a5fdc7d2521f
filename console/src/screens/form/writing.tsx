import { keepPreviousData, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { formQuery, givenIn, languagesPointer } from './begin.ts'
import { type Check, checkQuery, noDoubts, pageQuery } from './check.ts'
import type { Draft } from './drafts.ts'
import type { Stores } from './form-context.ts'
import { oddValues, placeDoubts, placeFindings, reveal, showFindings } from './findings.ts'
import { type FormContext, FormProvider } from './form-context.ts'
import { Groups } from './groups.tsx'
import { certificateOf, isList, type Json, textOf, valueAt } from './json.ts'
import { Languages } from './languages.tsx'
import { Problem } from '../../ui/problem.tsx'
import { usualTests } from './outline.ts'
import type { Schema } from './schema.ts'
import { type Store, usePicked } from './store.ts'
import { Submit } from './submit.tsx'

// There is no page before the first check.
const Preview = lazy(async () => ({ default: (await import('./preview.tsx')).Preview }))

const quietMs = 450

/** The revision to check: the newest one when nobody has typed for a moment, or at once after `settle`. */
const useSettled = (store: Store) => {
  const [revision, setRevision] = useState(() => store.revision())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = store.subscribe('', () => {
      clearTimeout(timer)
      timer = setTimeout(() => setRevision(store.revision()), quietMs)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [store])
  return { revision, settle: () => setRevision(store.revision()) }
}

type WritingProps = {
  readonly draft: Draft
  readonly stores: Stores
  readonly identity: string | undefined
  readonly onIdentity: (id: string) => void
  readonly onSubmitted: (id: string) => void
  readonly onCompare: (() => void) | undefined
}

const useContextOf = (draft: Draft, stores: Stores) => {
  const language = useLanguage()
  const { data: form } = useSuspenseQuery(formQuery(draft.family, draft.version, language))
  const [showsMissing, setShowsMissing] = useState(false)
  const root = form.schema as Schema
  const context = useMemo<FormContext>(
    () => ({
      ...stores,
      root,
      labels: form.labels,
      parties: form.parties,
      given: givenIn(draft.certificate),
      usual: usualTests(root, form.groups),
      language,
      comma: language === 'de',
      showsMissing,
    }),
    [stores, root, form, draft, language, showsMissing],
  )
  return { context, groups: form.groups, showMissing: () => setShowsMissing(true) }
}

export const Writing = ({ draft, stores, ...acts }: WritingProps) => {
  const t = useTexts('form')
  const inWords = useFindingWords()
  const { context, groups, showMissing } = useContextOf(draft, stores)
  const { revision, settle } = useSettled(stores.store)
  const client = useQueryClient()
  const checkOf = (at: number) =>
    checkQuery({
      draft: draft.id,
      revision: at,
      company: draft.company,
      text: () => certificateOf(stores.store.root()),
    })
  const check = useQuery({ ...checkOf(revision), placeholderData: keepPreviousData })
  const checkNow = (): Promise<Check> => {
    settle()
    return client.fetchQuery(checkOf(stores.store.revision()))
  }
  const about = { ...context, t, inWords }
  const place = ({ findings }: { readonly findings: Check['findings'] }) => placeFindings(about, findings)
  const found = place(check.data ?? { findings: [] })
  const doubts = [...placeDoubts(about, check.data?.doubts ?? noDoubts), ...oddValues(about)]
  // Runs before the browser paints, so that the number of missing fields never appears without the fields.
  useLayoutEffect(() => {
    showFindings(context, [...found.placed, ...doubts])
    for (const { pointer, isHidden } of found.placed) if (isHidden) reveal(context, pointer)
  })
  const page = useQuery({ ...pageQuery(draft.id, check.data), placeholderData: keepPreviousData })
  const paper = usePicked(stores.store, '', languageOf)
  return (
    <FormProvider value={context}>
      <div className="split form">
        <div className="stack">
          <Languages certificate={draft.certificate} />
          <Groups groups={groups} />
          <Submit
            {...{ check, checkNow, place, revision, found, ...acts }}
            company={draft.company}
            doubts={doubts}
            onIncomplete={showMissing}
          />
        </div>
        <aside className="form-side" aria-label={t.page}>
          {page.error !== null ? (
            <Problem error={page.error} onRetry={() => void page.refetch()} />
          ) : page.data === undefined ? (
            <div className="empty">
              <h2>{t.page}</h2>
              <p className="muted">{t.noPage}</p>
            </div>
          ) : (
            <Suspense>
              <Preview html={page.data} language={paper} />
            </Suspense>
          )}
        </aside>
      </div>
    </FormProvider>
  )
}

const languageOf = (certificate: Json | undefined): string => {
  const pointer = certificate === undefined ? undefined : languagesPointer(certificate)
  const languages = pointer === undefined ? undefined : valueAt(certificate, pointer)
  return (isList(languages) ? textOf(languages[0]) : 'en').toLowerCase()
}
