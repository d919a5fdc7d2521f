import type { Attributes, KnownSpan } from './tracer.ts'

/** The spans of a notarization that others refer to. Its trace is named after the certificate. */
export const certificateSpan = (certificateId: string, step: 'accept' | 'complete'): KnownSpan => ({
  trace: certificateId,
  step,
})

export type TracedEvent = {
  readonly id: string
  readonly mode: string
  readonly resource: string
  readonly action: string
  /** The certificate that the event is about. */
  readonly aboutId: string | null | undefined
}

/** The certificate whose notarization caused this event, if one did. */
const causeOf = ({ action, aboutId }: TracedEvent): string | undefined =>
  action === 'notarize_one' || action === 'receive_one' ? (aboutId ?? undefined) : undefined

/** Events of a notarization are in its trace, all others have traces of their own. */
export const eventSpan = (event: TracedEvent, step: 'write' | 'relay'): KnownSpan => ({
  trace: causeOf(event) ?? event.id,
  step: `${step} ${event.id}`,
})

/** The span that caused the event, if its row says which. */
export const causingSpan = (event: TracedEvent): KnownSpan | undefined => {
  const cause = causeOf(event)
  return cause === undefined ? undefined : certificateSpan(cause, 'complete')
}

export const eventAttributes = ({ id, mode, resource, action }: TracedEvent): Attributes => ({
  'millseal.event.id': id,
  'millseal.event.name': `${resource}/${action}`,
  'millseal.mode': mode,
})
