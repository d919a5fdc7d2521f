import type { Identity } from '@millseal/contract'
import { queryOptions, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import type { Texts } from '../../texts/languages.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { blobOf, type Check } from './check.ts'
import { certificateOf, type Found, type Placed, reveal } from './findings.ts'
import { labelIn, useForm } from './form-context.ts'
import { nameOf } from './json.ts'

const identitiesQuery = (company: string, mode: 'test' | 'live') =>
  queryOptions({
    queryKey: ['identities', company, mode, 'valid'],
    queryFn: () => api.listIdentities({ company, query: { mode, status: 'valid', limit: 1_000 } }),
  })

type Props = {
  readonly company: string
  readonly check: UseQueryResult<Check>
  readonly found: Found
  readonly advice: readonly Placed[]
  readonly identity: string | undefined
  readonly onIdentity: (id: string) => void
  readonly onIncomplete: () => void
  readonly onSubmitted: (id: string) => void
}

const nameIn = (
  { identityName }: Texts['form'],
  { name, account, index }: Pick<Identity, 'name' | 'account' | 'index'>,
): string => name ?? identityName(account, index)

const keys: string = '/keys'
const lastIdentity = 'millseal.identity'

/** Goes to the first place that has to be corrected. */
const focusFirst = (places: readonly Placed[]): void => {
  const parts = places.flatMap(
    ({ pointer }) => document.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`) ?? [],
  )
  const [first] = parts.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  const field = first?.querySelector<HTMLElement>('input:not([type=file], .input), textarea, select, .select')
  ;(field ?? first?.querySelector('button'))?.focus()
}

/** The identities that may sign here, and the one that is chosen: the last one, unless somebody chooses. */
const useIdentities = (company: string, mode: 'test' | 'live', identity: string | undefined) => {
  const { data } = useQuery(identitiesQuery(company, mode))
  const usable = (data ?? []).filter(({ isPublic }) => mode === 'test' || isPublic)
  const key = `${lastIdentity}.${company}.${mode}`
  const wanted = identity ?? localStorage.getItem(key)
  return {
    usable,
    isNone: data !== undefined && usable.length === 0,
    chosen: usable.find(({ id }) => id === wanted) ?? usable[0],
    remember: (id: string) => localStorage.setItem(key, id),
  }
}

/** The identity, what is left to correct, and the button that notarizes. */
export const Submit = (props: Props) => {
  const { company, check, found, advice, identity, onIdentity, onIncomplete, onSubmitted } = props
  const t = useTexts('form')
  const { store } = useForm()
  const { mode, may } = useHere()
  const { usable, isNone, chosen, remember } = useIdentities(company, mode, identity)
  const missing = found.placed.filter(({ kind }) => kind === 'missing')
  const wrong = found.placed.filter(({ kind }) => kind === 'wrong')
  const notarize = useMutation({
    // The form as it is now, which may be newer than what was checked.
    mutationFn: (id: string) =>
      api.notarizeCertificate({
        query: { identity: id, mode },
        document: blobOf(certificateOf(store.root())),
        company,
      }),
    onSuccess: ({ jobId }, id) => {
      remember(id)
      if (jobId !== undefined) onSubmitted(jobId)
    },
  })
  const { isPending } = notarize
  const isReady = check.data?.isValid === true && !check.isPlaceholderData
  const press = (): void => {
    if (isReady && chosen !== undefined) return notarize.mutate(chosen.id)
    onIncomplete()
    focusFirst([...wrong, ...missing])
  }
  if (!may('notarizeCertificate')) return <Notice kind="warn">{t.mayNot}</Notice>
  return (
    <section className="card form-submit" aria-label={t.notarize}>
      {isNone && <NoIdentity mode={mode} />}
      {check.isError && (
        <Problem error={check.error} title={t.notChecked} onRetry={() => void check.refetch()} />
      )}
      {notarize.isError && <Problem error={notarize.error} title={t.notNotarized} />}
      {notarize.data?.transactionId !== undefined && <Notice kind="warn">{t.alreadyThere}</Notice>}
      <Others found={found} />
      {isReady && advice.length > 0 && <Advice advice={advice} />}
      <div className="form-submit-line">
        {chosen !== undefined && (
          <Select
            label={t.identity}
            options={usable.map((one) => ({ id: one.id, label: nameIn(t, one) }))}
            value={chosen.id}
            onChange={onIdentity}
          />
        )}
        <span className="end muted" role="status">
          {t.left(missing.length, wrong.length + found.others.length, isReady)}
        </span>
        <Button kind="primary" {...{ isPending, onPress: press }} isDisabled={chosen === undefined}>
          {t.notarize}
        </Button>
      </div>
    </section>
  )
}

const NoIdentity = ({ mode }: { readonly mode: 'test' | 'live' }) => {
  const t = useTexts('form')
  return (
    <Notice kind="warn">
      <p>{mode === 'live' ? t.noPublicIdentity : t.noIdentity}</p>
      <p>
        <Link to={keys}>{t.toKeys}</Link>
      </p>
    </Notice>
  )
}

/** Findings that belong to no field. */
const Others = ({ found }: Pick<Props, 'found'>) =>
  found.others.map(({ pointer, reason }) => (
    <p key={pointer + reason} className="problem">
      {pointer} {reason}
    </p>
  ))

/** What looks unusual in a valid certificate. A place that the form does not show yet can be opened. */
const Advice = ({ advice }: { readonly advice: readonly Placed[] }) => {
  const form = useForm()
  const t = useTexts('form')
  return (
    <details className="fold">
      <summary>{t.adviceCount(advice.length)}</summary>
      <ul className="form-advice">
        {advice.map((each) => (
          <li key={each.pointer + each.text}>
            <Button
              kind="quiet"
              onPress={() => {
                reveal(form, each.pointer)
                // The field is drawn first.
                setTimeout(() => focusFirst([each]), 60)
              }}
            >
              {each.name ?? labelIn(form, nameOf(each.pointer)).text}
            </Button>{' '}
            {each.text}
          </li>
        ))}
      </ul>
    </details>
  )
}
