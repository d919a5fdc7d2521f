import type { CertificateLife, EventRecord } from '@millseal/contract'
import { useTexts } from '../../../texts/catalog.ts'
import { useServerWords } from '../../../texts/server-words.ts'
import { useFormats } from '../../../texts/format.ts'

export type Step = {
  readonly key: string
  readonly kind: 'done' | 'soon' | 'none' | 'bad'
  readonly title: string
  readonly text?: string | undefined
  readonly at?: string | undefined
}

/** Returns the function that turns the life of a certificate into sentences. */
export const useSteps = (): ((
  life: CertificateLife,
  deliveries: readonly EventRecord[],
) => readonly Step[]) => {
  const mailStep = useMailStep()
  const deliveryStep = useDeliveryStep()
  const mainSteps = useMainSteps()
  const { lifeSteps: t } = useTexts('certificates')
  return (life, deliveries) => [
    ...mainSteps(life),
    ...life.mails.map(mailStep),
    ...deliveries.map(deliveryStep),
    ...life.corrections.map(
      ({ kind, reason, time, transactionId }): Step => ({
        key: transactionId,
        kind: 'bad',
        title: t[kind],
        text: reason,
        at: time,
      }),
    ),
  ]
}

const useMainSteps = (): ((life: CertificateLife) => readonly Step[]) => {
  const { lifeSteps: t } = useTexts('certificates')
  const { number } = useFormats()
  const inWords = useServerWords()
  return (life) => {
    const { accepted, release, rendered, recorded, failed, state } = life
    const by = accepted.by?.name
    return [
      {
        key: 'accepted',
        kind: 'done',
        title: by === undefined ? t.accepted : t.acceptedFrom(by),
        at: accepted.at,
      },
      ...(state === 'awaitingRelease'
        ? [{ key: 'awaitingRelease', kind: 'soon', title: t.awaitingRelease } as const]
        : []),
      ...(release?.decision === 'released'
        ? [{ key: 'release', kind: 'done', title: t.releasedBy(release.name ?? ''), at: release.at } as const]
        : []),
      ...(rendered === undefined
        ? []
        : [{ key: 'rendered', kind: 'done', title: t.rendered, at: rendered.at } as const]),
      ...(recorded === undefined
        ? []
        : [
            {
              key: 'recorded',
              kind: 'done',
              title: recorded.entry === undefined ? t.recorded : t.recordedAt(number(recorded.entry)),
              at: recorded.at,
            } as const,
          ]),
      ...confirmationSteps(t, life),
      ...(failed === undefined
        ? []
        : [
            {
              key: 'failed',
              kind: 'bad',
              title: t.failed,
              text: inWords(failed.error, failed.reasons),
              at: failed.at,
            } as const,
          ]),
    ]
  }
}

/** One that is recorded and not completed waits for a quorum of cosigners. */
const confirmationSteps = (
  t: ReturnType<typeof useTexts<'certificates'>>['lifeSteps'],
  { state, recorded, confirmed }: CertificateLife,
): readonly Step[] => {
  const steps: Step[] = []
  if (confirmed !== undefined)
    steps.push({
      key: 'confirmed',
      kind: 'done',
      title: t.confirmedBy(confirmed.by.join(', ')),
      at: confirmed.at,
    })
  if (state === 'accepted' || state === 'running')
    steps.push({
      key: 'pending',
      kind: 'soon',
      title: recorded === undefined ? t.rendering : t.awaitingQuorum,
    })
  return steps
}

const useMailStep = (): ((mail: CertificateLife['mails'][number], index: number) => Step) => {
  const { lifeSteps: t, heldReasons, about: subjects } = useTexts('certificates')
  return ({ about, to, state, reason, sentAt, saved, again }, index) => {
    const key = `mail ${index}`
    const subject = about === 'certificate' ? undefined : subjects[about]
    const text = again === true ? t.again : subject
    if (saved === true) return { key, kind: 'none', title: t.mailSaved(to), text, at: sentAt }
    if (state === 'sent') return { key, kind: 'done', title: t.mailTo(to), text, at: sentAt }
    if (state === 'waiting') return { key, kind: 'soon', title: t.mailWaiting(to), text }
    if (state === 'refused') return { key, kind: 'bad', title: t.mailRefused(to), text }
    const held = reason === undefined ? undefined : heldReasons[reason]
    const both = [text, held].filter((part) => part !== undefined).join(': ')
    return { key, kind: 'none', title: t.mailHeld(to), text: both }
  }
}

const useDeliveryStep = (): ((delivery: EventRecord) => Step) => {
  const { lifeSteps: t } = useTexts('certificates')
  const inWords = useServerWords()
  return ({ id, hook, delivered, deliveryError, reasons, nextAttemptAt, updatedAt }) => {
    const host = URL.canParse(hook.connectionUrl) ? new URL(hook.connectionUrl).host : hook.connectionUrl
    if (delivered) return { key: id, kind: 'done', title: t.hookDelivered(host), at: updatedAt }
    const kind = nextAttemptAt === undefined ? 'bad' : 'soon'
    const text = deliveryError === undefined ? undefined : inWords(deliveryError, reasons)
    return { key: id, kind, title: t.hookWaiting(host), text }
  }
}
