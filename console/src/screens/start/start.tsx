import type { Mode } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import type { Texts } from '../../texts/languages.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, Fold, Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { type Progress, progressQuery, refreshMs } from './progress.ts'
import './start.css'

/** A plain string, because its route is not in the tree yet. */
const certificates: string = '/certificates'

type Step = {
  readonly name: keyof Texts['start']['steps']
  /** Undefined while it is unknown. */
  readonly isDone: boolean | undefined
  /** True while somebody else does it. */
  readonly isWaiting?: boolean
  /** Absent if nothing can be done there yet. */
  readonly to?: string
  readonly mode?: Mode
}

const accountSteps = ({ session, membership }: ReturnType<typeof useHere>): readonly Step[] => [
  { name: 'emailConfirmed', isDone: session.me.emailConfirmed, to: '/me' },
  {
    name: 'companyCreated',
    isDone: membership !== undefined,
    to: membership === undefined ? '/company/new' : '/company',
  },
  {
    name: 'companyVerified',
    isDone: membership?.company.verified === true,
    isWaiting: membership !== undefined,
    to: '/company',
  },
  { name: 'mfaEnabled', isDone: session.hasMfa, to: '/me' },
]

const places: Readonly<Record<keyof Progress, string>> = {
  wallet: '/keys',
  identity: '/keys',
  published: '/keys',
  certificate: '/new',
}

/** Test mode needs no public identity. */
const modeSteps = (mode: Mode, progress: Progress | null | undefined, isOpen: boolean): readonly Step[] =>
  (['wallet', 'identity', 'published', 'certificate'] as const)
    .filter((name) => mode === 'live' || name !== 'published')
    .map((name) => ({
      name,
      mode,
      isDone: isOpen ? progress?.[name] : false,
      to: isOpen ? places[name] : undefined,
    }))

export const Screen = () => {
  const t = useTexts('start')
  const here = useHere()
  const { membership, isLiveReady } = here
  useQuery({ ...sessionQuery, refetchInterval: refreshMs })
  const company = membership?.company.id
  const test = useQuery(progressQuery(company, 'test'))
  const live = useQuery(progressQuery(isLiveReady ? company : undefined, 'live'))
  const groups = {
    account: accountSteps(here),
    test: modeSteps('test', test.data, company !== undefined),
    live: modeSteps('live', live.data, isLiveReady),
  }
  const error = test.error ?? live.error
  const left = (group: keyof typeof groups) =>
    groups[group].filter(({ isDone, isWaiting }) => isDone !== true && isWaiting !== true)
  // A trial is optional, so it is next only while live mode is closed.
  const [next] = [...left('account'), ...left(isLiveReady ? 'live' : 'test')]
  const isAllDone = [...groups.account, ...groups.live].every(({ isDone }) => isDone === true)
  return (
    <Frame title={t.title}>
      {isAllDone ? (
        <p>
          {t.allDone} <Link to={certificates}>{t.toCertificates}</Link>
        </p>
      ) : (
        <p className="muted">{t.intro}</p>
      )}
      {error !== null && <Problem error={error} />}
      {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => (
        <Group key={group} name={group} steps={groups[group]} next={next} />
      ))}
    </Frame>
  )
}

/** Folded once all its steps are done. */
const Group = ({
  name,
  steps,
  next,
}: {
  readonly name: keyof Texts['start']['groups']
  readonly steps: readonly Step[]
  readonly next: Step | undefined
}) => {
  const t = useTexts('start')
  const [title, text] = t.groups[name]
  const list = (
    <ol className="steps">
      {steps.map((step) => (
        <Line key={step.name} step={step} isNext={step === next} />
      ))}
    </ol>
  )
  if (steps.every(({ isDone }) => isDone === true))
    return (
      <Card>
        <Fold
          title={
            <>
              <b>{title}</b> <State kind="good">{t.done}</State>
            </>
          }
        >
          {list}
        </Fold>
      </Card>
    )
  return (
    <Card title={title}>
      {text !== '' && <p className="muted">{text}</p>}
      {list}
    </Card>
  )
}

const stateOf = ({ isDone, isWaiting }: Step, isNext: boolean) => {
  if (isDone === true) return ['done', 'good'] as const
  if (isNext) return ['next', 'wait'] as const
  return isWaiting === true ? (['waiting', 'wait'] as const) : (['open', 'gone'] as const)
}

const Line = ({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) => {
  const t = useTexts('start')
  const [title, text] = t.steps[step.name]
  const [word, kind] = stateOf(step, isNext)
  return (
    <li className={isNext ? 'next' : ''} aria-current={isNext ? 'step' : undefined}>
      <span>
        {step.to === undefined ? (
          <b>{title}</b>
        ) : (
          <Link
            to={step.to}
            search={(search: object) => (step.mode === undefined ? search : { ...search, mode: step.mode })}
          >
            {title}
          </Link>
        )}
        <span className="muted">{text}</span>
      </span>
      {step.isDone !== undefined && <State kind={kind}>{t[word]}</State>}
    </li>
  )
}
