import type { Notarization } from '@millseal/contract'
import { useMutation, type UseQueryResult } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { flushSync } from 'react-dom'
import { api, ApiError } from '../../api/client.ts'
import { type Finding, findingsIn } from '../../api/findings.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { blobOf, type Check } from './check.ts'
import { Doubts, focusFirst } from './doubts.tsx'
import { type Found, type Placed, reveal } from './findings.ts'
import { useForm } from './form-context.ts'
import { nameIn, useIdentities } from './identities.ts'
import { NoIdentity } from './no-identity.tsx'
import { usePicked } from './store.ts'

const AcceptFindings = lazy(async () => ({
  default: (await import('../../ui/accept-findings.tsx')).AcceptFindings,
}))

type Props = {
  readonly company: string
  readonly check: UseQueryResult<Check>
  /** Checks the certificate at once, without waiting for the person to stop typing. */
  readonly checkNow: () => Promise<Check>
  readonly place: (check: Check) => Found
  /** The revision that `check` belongs to. */
  readonly revision: number
  readonly found: Found
  readonly doubts: readonly Placed[]
  readonly identity: string | undefined
  readonly onIdentity: (id: string) => void
  readonly onIncomplete: () => void
  readonly onSubmitted: (id: string) => void
  /** Shows both certificates before anything is sent, if this one replaces another one. */
  readonly onCompare: (() => void) | undefined
}

const ofKind = ({ placed }: Found, kind: Placed['kind']): readonly Placed[] =>
  placed.filter((each) => each.kind === kind)

/** The bytes that say what does not fit together. Only these are accepted by reading the findings. */
type Asked = { readonly text: string; readonly findings: readonly Finding[] }

type Order = { readonly identity: string; readonly accepts?: Asked }
type Done = { readonly accepted?: Notarization; readonly asks?: Asked }

/** Findings that the check did not show, such as those of another release of the server. */
const refusedFindings = (error: unknown): readonly Finding[] => {
  if (!(error instanceof ApiError) || error.code !== 'findings_refused' || error.answer === undefined)
    throw error
  return findingsIn(error.answer)
}

/** Notarizes the checked certificate, asks about its findings, or moves to the first field that is missing or wrong. */
const useNotarize = (
  { company, checkNow, place, onIncomplete, onSubmitted, onCompare }: Props,
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
    async mutationFn({ identity, accepts }: Order): Promise<Done | undefined> {
      const send = (text: string, onFindings: 'accept' | 'refuse') =>
        api.notarizeCertificate({ query: { identity, mode, onFindings }, document: blobOf(text), company })
      if (accepts !== undefined) return { accepted: await send(accepts.text, 'accept') }
      const pressedAt = store.revision()
      // The screen shows why a check failed.
      const checked = await checkNow().catch(() => undefined)
      // Somebody who continues to type has not finished.
      if (checked === undefined || store.revision() !== pressedAt) return undefined
      if (!checked.isValid) {
        lead(place(checked))
        return undefined
      }
      if (onCompare !== undefined) {
        onCompare()
        return undefined
      }
      const { text, doubts } = checked
      if (doubts.findings.length > 0) return { asks: { text, findings: doubts.findings } }
      try {
        return { accepted: await send(text, 'refuse') }
      } catch (error) {
        return { asks: { text, findings: refusedFindings(error) } }
      }
    },
    onSuccess(done, { identity }) {
      if (done?.accepted === undefined) return
      const { accepted } = done
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
  const { company, check, found, doubts, identity, onIdentity } = props
  const t = useTexts('form')
  const words = useTexts('findings')
  const { mode, may } = useHere()
  const { usable, isNone, chosen, remember } = useIdentities(company, mode, identity)
  const notarize = useNotarize(props, mode, remember)
  const isReady = check.data?.isValid === true && !check.isPlaceholderData
  const count = isReady ? doubts.filter(({ kind }) => kind === 'doubt').length : 0
  const { accepted, asks } = notarize.data ?? {}
  const labelOf = (): string => {
    if (props.onCompare !== undefined) return t.compare
    return count === 0 ? t.notarize : words.notarizeWith(count)
  }
  if (!may('notarizeCertificate')) return <Notice kind="warn">{t.mayNot}</Notice>
  return (
    <section className="card form-submit" aria-label={t.notarize}>
      {isNone && <NoIdentity mode={mode} />}
      {check.isError && (
        <Problem error={check.error} title={t.notChecked} onRetry={() => void check.refetch()} />
      )}
      {notarize.isError && <Problem error={notarize.error} title={t.notNotarized} />}
      {accepted?.transactionId !== undefined && <Notice kind="warn">{t.alreadyThere}</Notice>}
      <Others found={found} />
      {isReady && <Doubts doubts={doubts} />}
      {isReady && check.data?.addresses?.length === 0 && <Notice kind="warn">{words.noAddress}</Notice>}
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
          kind={count === 0 ? 'primary' : 'plain'}
          className={count === 0 ? '' : 'amber'}
          isPending={notarize.isPending}
          isDisabled={chosen === undefined}
          onPress={() => chosen !== undefined && notarize.mutate({ identity: chosen.id })}
        >
          {labelOf()}
        </Button>
      </div>
      {asks !== undefined && chosen !== undefined && (
        <Suspense>
          <AcceptFindings
            key={notarize.submittedAt}
            trigger={null}
            isOpenAtFirst
            certificates={[asks]}
            onConfirm={async () => notarize.mutate({ identity: chosen.id, accepts: asks })}
          />
        </Suspense>
      )}
    </section>
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
