import type { EventRecord, ShownHeaders, ShownRequest } from '@millseal/contract'
import { readReasons } from '../../../lib/stored-reasons.ts'
import type { Query } from '../../../ports/database/database.ts'
import { findContents, type StoredAttempt, type StoredRecord } from './event-records.store.ts'

/** Limits the payloads in one answer: a certificate can be large. */
const payloadBudgetBytes = 8 * 1_024 * 1_024

/** The first records that fit into one answer; at least one. */
export const fittingRecords = (records: readonly StoredRecord[]): readonly StoredRecord[] => {
  let bytes = 0
  const tooMany = records.findIndex(({ payloadBytes }, index) => {
    bytes += payloadBytes
    return index > 0 && bytes > payloadBudgetBytes
  })
  return tooMany === -1 ? records : records.slice(0, tooMany)
}

export const toEventResponses = async (
  query: Query,
  records: readonly StoredRecord[],
): Promise<EventRecord[]> => {
  const contents = await findContents(
    query,
    records.map(({ eventId }) => eventId),
  )
  return records.flatMap((record) => {
    const content = contents.get(record.eventId)
    return content === undefined ? [] : [toEventResponse(record, content.payload)]
  })
}

const toEventResponse = (record: StoredRecord, payload: Uint8Array): EventRecord => {
  const { deliveryError, errorStatus } = record
  return {
    id: record.id,
    eventId: record.eventId,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    resource: record.resource,
    action: record.action,
    mode: record.mode,
    about: record.aboutName ?? undefined,
    payload: JSON.parse(Buffer.from(payload).toString('utf8')) as Record<string, unknown>,
    delivered: record.delivered,
    deliveryError: deliveryError ?? undefined,
    reasons: readReasons({ error: deliveryError, reasons: record.reasons }),
    error:
      deliveryError === null ? undefined : { message: deliveryError, statusCode: errorStatus ?? undefined },
    nextAttemptAt: record.nextAttemptAt?.toISOString(),
    hook: { id: record.hookId, connectionUrl: record.connectionUrl },
  }
}

type Shown = Pick<
  StoredAttempt,
  'startedAt' | 'durationMs' | 'statusCode' | 'error' | 'reasons' | 'answer' | 'request' | 'answerHeaders'
>

/** What was sent and, if wanted, what came back. Attempts of earlier releases have no request. */
export const toExchangeResponse = (
  { startedAt, durationMs, statusCode, error, reasons, answer, request, answerHeaders }: Shown,
  withAnswer: boolean,
): NonNullable<EventRecord['attempts']>[number] => ({
  startedAt: startedAt.toISOString(),
  durationMs,
  statusCode: statusCode ?? undefined,
  error: error ?? undefined,
  reasons: readReasons({ error, reasons }),
  request: request === null ? undefined : (JSON.parse(request) as ShownRequest),
  answer: withAnswer && answer !== null ? Buffer.from(answer).toString('utf8') : undefined,
  answerHeaders:
    withAnswer && answerHeaders !== null ? (JSON.parse(answerHeaders) as ShownHeaders) : undefined,
})
