import type { Identity } from '@millseal/contract'
import { queryOptions, useMutation, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { flushSync } from 'react-dom'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import type { Texts } from '../../texts/languages.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { blobOf, type Check } from './check.ts'
import { type Found, type Placed, reveal } from './findings.ts'
import { labelIn, useForm } from './form-context.ts'
import { nameOf } from './json.ts'
import { usePicked } from './store.ts'

const identitiesQuery = (company: string, mode: 'test' | 'live') =>
  queryOptions({
    queryKey: ['identities', company, mode, 'valid'],
    queryFn: () => api.listIdentities({ company, query: { mode, status: 'valid', limit: 1_000 } }),
  })

type Props = {
  readonly company: string
  readonly check: UseQueryResult<Check>
  /** Checks the certificate at once, without waiting for the person to stop typing. */
  readonly checkNow: () => Promise<Check>
  readonly place: (check: Check) => Found
  /** The revision that `check` belongs to. */
  readonly revision: number
  readonly found: Found
  readonly advice: readonly Placed[]
  readonly identity: string | undefined
  readonly onIdentity: (id: string) => void
  readonly onIncomplete: () => void
  readonly onSubmitted: (id: string) => void
}

const nameIn = ({ identityName }: Texts['form'], { name, account, index }: Identity): string =>
  name ?? identityName(account, index)

const keys: string = '/keys'
const lastIdentity = 'millseal.identity'

/** Moves the focus to the first place to correct. */
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

/** The identities that may sign here, and the chosen one: the last one used, unless somebody chooses. */
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

const ofKind = ({ placed }: Found, kind: Placed['kind']): readonly Placed[] =>
  placed.filter((each) => each.kind === kind)

/** Notarizes the checked certificate, or moves to the first field that is missing or wrong. */
const useNotarize = (
  { company, checkNow, place, onIncomplete, onSubmitted }: Props,
  mode: 'test' | 'live',
  remember: (id: string) => void,
) => {
  const form = useForm()
  const { store } = form
  const lead = (found: Found): void => {
    // The fields are drawn first.
    flushSync(() => {
      onIncomplete()
      for (const { pointer, isHidden } of found.placed) if (isHidden) reveal(form, pointer)
    })
    focusFirst([...ofKind(found, 'wrong'), ...ofKind(found, 'missing')])
  }
  return useMutation({
    async mutationFn(identity: string) {
      const pressedAt = store.revision()
      // The screen shows why a check failed.
      const checked = await checkNow().catch(() => undefined)
      // Somebody who continues to type has not finished.
      if (checked === undefined || store.revision() !== pressedAt) return undefined
      if (!checked.isValid) {
        lead(place(checked))
        return undefined
      }
      return api.notarizeCertificate({ query: { identity, mode }, document: blobOf(checked.text), company })
    },
    onSuccess(accepted, identity) {
      if (accepted === undefined) return
      remember(identity)
      if (accepted.jobId !== undefined) onSubmitted(accepted.jobId)
    },
  })
}

/** The number of corrections left. It is busy until the last change was checked. */
const Left = ({ check, revision, found, isReady }: Props & { readonly isReady: boolean }) => {
  const t = useTexts('form')
  const { store } = useForm()
  const newest = usePicked(store, '', () => store.revision())
  const isChecked = newest === revision && (check.isError || (check.isSuccess && !check.isPlaceholderData))
  const wrong = ofKind(found, 'wrong').length + found.others.length
  return (
    <span className="end muted" role="status" aria-busy={!isChecked}>
      {t.left(ofKind(found, 'missing').length, wrong, isReady)}
    </span>
  )
}

/** The identity, the corrections left, and the button that notarizes. */
export const Submit = (props: Props) => {
  const { company, check, found, advice, identity, onIdentity } = props
  const t = useTexts('form')
  const { mode, may } = useHere()
  const { usable, isNone, chosen, remember } = useIdentities(company, mode, identity)
  const notarize = useNotarize(props, mode, remember)
  const isReady = check.data?.isValid === true && !check.isPlaceholderData
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
        <Left {...props} isReady={isReady} />
        <Button
          kind="primary"
          isPending={notarize.isPending}
          isDisabled={chosen === undefined}
          onPress={() => chosen !== undefined && notarize.mutate(chosen.id)}
        >
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
const Others = ({ found }: { readonly found: Found }) => {
  const inWords = useFindingWords()
  return found.others.map((finding) => (
    <p key={finding.pointer + finding.reason} className="problem">
      {finding.pointer} {inWords(finding)}
    </p>
  ))
}

/** Unusual values in a valid certificate. A place that the form does not show yet can be opened. */
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
