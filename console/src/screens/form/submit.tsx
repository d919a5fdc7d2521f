import { queryOptions, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { type Check, documentOf } from './check.ts'
import { type Found, type Placed, reveal } from './findings.ts'
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

const lastIdentity = 'millseal.identity'

/** Goes to the first place that has to be corrected. */
const focusFirst = (places: readonly Placed[]): void => {
  const parts = places.flatMap(
    ({ pointer }) => document.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`) ?? [],
  )
  const [first] = parts.toSorted((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  )
  first?.querySelector<HTMLElement>('input:not([type=file]), textarea, select, button')?.focus()
}

/** The identity, what is left to correct, and the button that notarizes. */
export const Submit = ({
  company,
  check,
  found,
  advice,
  identity,
  onIdentity,
  onIncomplete,
  onSubmitted,
}: Props) => {
  const t = useTexts('form')
  const { mode, may } = useHere()
  const { data: identities } = useQuery(identitiesQuery(company, mode))
  const usable = (identities ?? []).filter(({ isPublic }) => mode === 'test' || isPublic)
  const remembered = identity ?? localStorage.getItem(`${lastIdentity}.${company}.${mode}`) ?? undefined
  const chosen = usable.find(({ id }) => id === remembered) ?? usable[0]
  const missing = found.placed.filter(({ kind }) => kind === 'missing')
  const wrong = found.placed.filter(({ kind }) => kind === 'wrong')
  const notarize = useMutation({
    mutationFn: async () => {
      if (check.data === undefined || chosen === undefined) return undefined
      const answer = await api.notarizeCertificate({
        query: { identity: chosen.id, mode },
        document: documentOf(check.data),
        company,
      })
      localStorage.setItem(`${lastIdentity}.${company}.${mode}`, chosen.id)
      return answer
    },
    onSuccess: (answer) => {
      if (answer?.jobId !== undefined) onSubmitted(answer.jobId)
    },
  })
  const isReady = check.data?.isValid === true && !check.isPlaceholderData
  const press = (): void => {
    if (isReady) return notarize.mutate()
    onIncomplete()
    focusFirst([...wrong, ...missing])
  }
  if (!may('notarizeCertificate')) return <Notice kind="warn">{t.mayNot}</Notice>
  return (
    <section className="card form-submit" aria-label={t.notarize}>
      {identities !== undefined && usable.length === 0 && (
        <Notice kind="warn">
          <p>{mode === 'live' ? t.noPublicIdentity : t.noIdentity}</p>
          <p>
            <Link to={'/keys' as string}>{t.toKeys}</Link>
          </p>
        </Notice>
      )}
      {check.isError && (
        <Problem error={check.error} title={t.notChecked} onRetry={() => void check.refetch()} />
      )}
      {notarize.isError && <Problem error={notarize.error} title={t.notNotarized} />}
      {notarize.data?.transactionId !== undefined && <Notice kind="warn">{t.alreadyThere}</Notice>}
      {found.others.map(({ pointer, reason }) => (
        <p key={pointer + reason} className="problem">
          {pointer} {reason}
        </p>
      ))}
      {isReady && advice.length > 0 && <Advice advice={advice} />}
      <div className="form-submit-line">
        {usable.length > 0 && chosen !== undefined && (
          <Select
            label={t.identity}
            options={usable.map(({ id, account, index }) => ({
              id,
              label: t.identityName(account, index),
            }))}
            value={chosen.id}
            onChange={onIdentity}
          />
        )}
        <span className="end muted" role="status">
          {t.left(missing.length, wrong.length + found.others.length, isReady)}
        </span>
        <Button
          kind="primary"
          isPending={notarize.isPending}
          isDisabled={chosen === undefined}
          onPress={press}
        >
          {t.notarize}
        </Button>
      </div>
    </section>
  )
}

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
