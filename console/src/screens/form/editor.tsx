import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useKindNames } from '../../api/families.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Loading, Screen as Frame } from '../../ui/screen.tsx'
import { titleOf } from './begin.ts'
import { DraftState } from './draft-state.tsx'
import { type Draft, saveDraft } from './drafts.ts'
import { createStore } from './store.ts'
import { Writing } from './writing.tsx'

const comparison: string = '/certificates/$id/replace'

const Submitted = lazy(async () => ({ default: (await import('./submitted.tsx')).Submitted }))

export const Editor = ({ draft }: { readonly draft: Draft }) => {
  const t = useTexts('form')
  const [submitted, setSubmitted] = useState(draft.submitted)
  const [stores] = useState(() => ({
    store: createStore(draft.certificate),
    added: createStore(draft.added),
    findings: createStore({}),
  }))
  const navigate = useNavigate()
  const [identity, setIdentity] = useState(draft.identity)
  const current = (): Draft => ({
    ...draft,
    savedAt: new Date().toISOString(),
    title: titleOf(stores.store.root()),
    certificate: stores.store.root(),
    added: stores.added.root(),
    identity,
  })
  const compare = (id: string) => {
    saveDraft(current())
    void navigate({ to: comparison, params: { id }, search: (former) => ({ ...former, draft: draft.id }) })
  }
  const name = useKindNames()(draft.family).title
  if (submitted !== undefined)
    return (
      <Frame title={t.title} aside={<span className="chip">{name}</span>}>
        <Suspense>
          <Submitted
            id={submitted}
            draft={current()}
            onBack={() => {
              saveDraft(current())
              setSubmitted(undefined)
            }}
          />
        </Suspense>
      </Frame>
    )
  return (
    <Frame
      title={t.title}
      aside={<span className="chip">{name}</span>}
      actions={<DraftState id={draft.id} stores={stores} current={current} />}
    >
      <Suspense fallback={<Loading />}>
        <Writing
          {...{ draft, stores, identity }}
          onIdentity={setIdentity}
          onSubmitted={(id) => {
            saveDraft({ ...current(), submitted: id })
            setSubmitted(id)
          }}
          onCompare={draft.replaces === undefined ? undefined : () => compare(draft.replaces ?? '')}
        />
      </Suspense>
    </Frame>
  )
}
