import type { Certificate } from '@millseal/contract'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Notice } from '../../../ui/problem.tsx'

type Step = {
  readonly kind: 'done' | 'soon' | 'none' | 'bad'
  readonly title: string
  readonly text?: string | undefined
  readonly at?: string | undefined
}

/** What really happened, and what is still to come. */
export const Life = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { time } = useFormats()
  const steps = useSteps(certificate)
  return (
    <>
      <ol className="life" aria-live="polite">
        {steps.map(({ kind, title, text, at }) => (
          <li key={`${title} ${at ?? ''}`} data-kind={kind}>
            <span>
              {title}
              {text !== undefined && <span className="muted">{text}</span>}
            </span>
            <span className="muted">
              {at === undefined ? kind === 'soon' && t.lifeSteps.waiting : time(at)}
            </span>
          </li>
        ))}
      </ol>
      {certificate.state === 'failed' && <Notice kind="warn">{t.provesFailed}</Notice>}
    </>
  )
}

const useSteps = (certificate: Certificate): readonly Step[] => {
  const { lifeSteps: t, heldReasons } = useTexts('certificates')
  const { state, createdAt, timestamp, error, corrections = [], mails = [] } = certificate
  const isPending = state === 'accepted' || state === 'running'
  const mailSteps = mails.map(({ to, state: mail, reason, sentAt }): Step => {
    if (mail === 'sent') return { kind: 'done', title: t.mailTo(to), at: sentAt }
    if (mail === 'waiting') return { kind: 'soon', title: t.mailWaiting(to) }
    if (mail === 'refused') return { kind: 'bad', title: t.mailRefused(to) }
    return {
      kind: 'none',
      title: t.mailHeld(to),
      text: reason === undefined ? undefined : heldReasons[reason],
      at: sentAt,
    }
  })
  return [
    { kind: 'done', title: t.accepted, at: createdAt },
    ...(isPending ? [{ kind: 'soon', title: t.rendering } as const] : []),
    ...(timestamp === undefined ? [] : [{ kind: 'done', title: t.recorded, at: timestamp } as const]),
    ...(state === 'failed' ? [{ kind: 'bad', title: t.failed, text: error } as const] : []),
    ...mailSteps,
    ...corrections.map(
      ({ kind, reason, time: at }): Step => ({ kind: 'bad', title: t[kind], text: reason, at }),
    ),
  ]
}
