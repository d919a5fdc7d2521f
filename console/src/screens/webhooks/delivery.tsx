import type { EventRecord } from '@millseal/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { hasFailed } from '../../api/deliveries.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable } from '../../ui/copy.tsx'
import { Problem } from '../../ui/problem.tsx'
import { ReadingDialog } from '../../ui/reading-dialog.tsx'
import { Facts, Fold, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { AttemptDetails } from './attempt.tsx'

type Props = { readonly event: EventRecord }
type Named = Pick<EventRecord, 'resource' | 'action'>

const nameOf = ({ resource, action }: Named): string => `${resource}/${action}`

/** The words for an event, or its name if only programs can choose it. */
export const useEventWords = (): ((event: Named) => string) => {
  const t = useTexts('webhooks')
  const words = new Map([...Object.entries(t.events), ['hooks/test', t.testEvent]])
  return (event) => words.get(nameOf(event)) ?? nameOf(event)
}

export const Result = ({ event }: Props) => {
  const t = useTexts('webhooks')
  const inWords = useServerWords()
  const { relative } = useFormats()
  const { delivered, deliveryError, reasons, nextAttemptAt } = event
  if (delivered) return <State kind="good">{t.delivered}</State>
  const isBad = deliveryError !== undefined
  const open = isBad ? t.failing : t.waiting
  return (
    <div className="outcome">
      <State kind={isBad ? 'bad' : 'wait'}>{hasFailed(event) ? t.failed : open}</State>
      {nextAttemptAt !== undefined && <span className="muted">{t.nextTry(relative(nextAttemptAt))}</span>}
      {isBad && <span className="problem">{inWords(deliveryError, reasons)}</span>}
    </div>
  )
}

export const ResendDelivery = ({ event }: Props) => {
  const t = useTexts('webhooks')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { id, delivered, deliveryError } = event
  const title = useTitle(event)
  const retry = useMutation({
    mutationFn: () => api.retryEvent({ company, params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries', company] }),
  })
  if (!may('retryEvent') || delivered || deliveryError === undefined) return null
  return (
    <>
      <Button isPending={retry.isPending} onPress={() => retry.mutate()} aria-label={`${t.resend}: ${title}`}>
        {t.resend}
      </Button>
      {retry.isError && <Problem error={retry.error} />}
    </>
  )
}

const useTitle = (event: EventRecord): string => {
  const wordsOf = useEventWords()
  return event.about === undefined ? wordsOf(event) : `${wordsOf(event)}: ${event.about}`
}

export const ReadDelivery = ({ event }: Props) => {
  const t = useTexts('webhooks')
  const title = useTitle(event)
  return (
    <ReadingDialog title={title} trigger={<Button aria-label={`${t.show}: ${title}`}>{t.show}</Button>}>
      <Content event={event} />
    </ReadingDialog>
  )
}

/** The payload, and every attempt with its request and answer. */
const Content = ({ event: { id } }: Props) => {
  const t = useTexts('webhooks')
  const inWords = useServerWords()
  const formats = useFormats()
  const { company } = useHere()
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', company, 'one', id],
    queryFn: () => api.readEvent({ company, params: { id }, query: { answers: true } }),
  })
  if (data === undefined)
    return error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Facts
        facts={[
          [t.eventName, <span className="mono">{nameOf(data)}</span>],
          [t.eventId, <Copyable text={data.eventId} label={t.eventId} />],
        ]}
      />
      {data.attempts?.length === 0 && <p>{t.noAttempt}</p>}
      {data.attempts?.map((attempt, index) => (
        <div key={attempt.startedAt} className="stack">
          <div className="row">
            <strong>{t.attempt(index + 1)}</strong>
            <span className="muted">{formats.time(attempt.startedAt)}</span>
            <span className="muted">{t.tookMs(attempt.durationMs)}</span>
            <span>
              {attempt.error === undefined ? attempt.statusCode : inWords(attempt.error, attempt.reasons)}
            </span>
          </div>
          <AttemptDetails attempt={attempt} />
        </div>
      ))}
      <Fold title={t.payload}>
        <pre className="mono json">{JSON.stringify(data.payload, undefined, 2)}</pre>
      </Fold>
    </>
  )
}
