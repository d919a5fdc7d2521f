import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Loading, Screen as Frame } from '../../ui/screen.tsx'
import { beginEmpty, beginLike } from './begin.ts'
import { readDraft, saveDraft } from './drafts.ts'
import { Editor } from './editor.tsx'
import { readFormSearch } from './search.ts'
import './form.css'

const Choose = lazy(async () => ({ default: (await import('./choose.tsx')).Choose }))

/** A form for a new certificate: an empty one, one like a former certificate, or a draft of this browser. */
export const Screen = () => {
  const t = useTexts('form')
  const { session, membership, may } = useHere()
  const { draft: id, family, version, from, replaces } = readFormSearch(useSearch({ strict: false }))
  const owner = session.me.id
  const draft = useMemo(() => (id === undefined ? undefined : readDraft(id, owner)), [id, owner])
  if (membership === undefined)
    return (
      <Frame title={t.title}>
        <p>{t.needsCompany}</p>
      </Frame>
    )
  if (draft !== undefined) return <Editor key={draft.id} draft={draft} />
  if (family !== undefined || from !== undefined)
    return (
      <Begin
        key={`${family}${version}${from}`}
        {...{ family, version, from, replaces }}
        company={membership.company.id}
        owner={owner}
      />
    )
  return (
    <Frame title={t.title}>
      {id !== undefined && <p role="status">{t.noSuchDraft}</p>}
      {!may('notarizeCertificate') && (
        <Notice kind="warn">
          <p>{t.mayNot}</p>
        </Notice>
      )}
      <Suspense fallback={<Loading />}>
        <Choose owner={owner} company={membership.company.id} />
      </Suspense>
    </Frame>
  )
}

type BeginProps = {
  readonly family: string | undefined
  readonly version: string | undefined
  readonly from: string | undefined
  readonly replaces: string | undefined
  readonly company: string
  readonly owner: string
}

const Begin = ({ family, version, from, replaces, company, owner }: BeginProps) => {
  const t = useTexts('form')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const made = useQuery({
    queryKey: ['form-begin', family, version, from, company],
    gcTime: 0,
    staleTime: Infinity,
    queryFn: () =>
      from === undefined
        ? beginEmpty(queries, { owner, company }, { family: family ?? '', version })
        : beginLike({ owner, company }, { from, replaces }),
  })
  const draft = made.data
  useEffect(() => {
    if (draft === undefined) return
    saveDraft(draft)
    void navigate({
      to: '.',
      replace: true,
      search: (former: object) => ({
        ...former,
        family: undefined,
        version: undefined,
        from: undefined,
        replaces: undefined,
        draft: draft.id,
      }),
    })
  }, [draft, navigate])
  return (
    <Frame title={t.title}>
      {made.isError ? (
        <Problem error={made.error} title={t.notBegun} onRetry={() => void made.refetch()} />
      ) : (
        <Loading />
      )}
    </Frame>
  )
}
