import type { EventRecord, RetriedEvents } from '@millseal/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { hasFailed } from '../../api/deliveries.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card, Fold } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { AttemptDetails } from './attempt.tsx'
import { deliveriesQuery } from './queries.ts'

const route = getRouteApi('/person/webhooks/$id')
const monthMs = 30 * 86_400_000

/** What was sent to a webhook, newest first, and what became of it. */
export const Deliveries = ({ hook }: { readonly hook: string }) => {
  const t = useTexts('webhooks')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { failed: onlyFailed = false } = route.useSearch()
  const { data: events, error } = useQuery(deliveriesQuery({ company, hook, onlyFailed }))
  const [resent, setResent] = useState<RetriedEvents>()
  const resendAll = async () => {
    const since = new Date(Date.now() - monthMs).toISOString()
    setResent(await api.retryHook({ company, params: { id: hook }, body: { since } }))
    await queries.invalidateQueries({ queryKey: ['deliveries', company] })
  }
  const anyFailed = events?.some(hasFailed) === true
  return (
    <Card
      title={t.deliveries}
      actions={
        <>
          <button
            type="button"
            className="chip"
            aria-pressed={onlyFailed}
            onClick={() =>
              void navigate({ to: '.', search: (all) => ({ ...all, failed: onlyFailed ? undefined : true }) })
            }
          >
            {t.onlyFailed}
          </button>
          {may('retryHook') && anyFailed && (
            <Confirm
              trigger={<Button>{t.resendAll}</Button>}
              title={t.resendTitle}
              consequence={t.resendText}
              action={t.resendAll}
              onConfirm={resendAll}
            />
          )}
        </>
      }
    >
      {resent !== undefined && <Notice kind="good">{t.resent(resent.count)}</Notice>}
      {resent?.refused !== undefined && <Notice kind="warn">{t.notResent(resent.refused)}</Notice>}
      {error !== null && <Problem error={error} />}
      {events?.length === 0 && <p>{onlyFailed ? t.noFailed : t.noDeliveries}</p>}
      <ul className="entries">
        {events?.map((event) => (
          <Delivery key={event.id} event={event} />
        ))}
      </ul>
    </Card>
  )
}

const Delivery = ({ event }: { readonly event: EventRecord }) => {
  const t = useTexts('webhooks')
  const formats = useFormats()
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { id, resource, action, createdAt, delivered, deliveryError, nextAttemptAt } = event
  const retry = useMutation({
    mutationFn: () => api.retryEvent({ company, params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries', company] }),
  })
  return (
    <li>
      <div className="row">
        {delivered ? (
          <State kind="good">{t.delivered}</State>
        ) : hasFailed(event) ? (
          <State kind="bad">{t.failed}</State>
        ) : (
          <State kind={deliveryError === undefined ? 'wait' : 'bad'}>
            {deliveryError === undefined ? t.waiting : t.failing}
          </State>
        )}
        <strong className="mono">{`${resource}/${action}`}</strong>
        <span className="muted">{createdAt !== undefined && formats.time(createdAt)}</span>
        {nextAttemptAt !== undefined && (
          <span className="muted">{t.nextTry(formats.relative(nextAttemptAt))}</span>
        )}
        <span className="end">
          {may('retryEvent') && !delivered && deliveryError !== undefined && (
            <Button kind="quiet" isPending={retry.isPending} onPress={() => retry.mutate()}>
              {t.resend}
            </Button>
          )}
        </span>
      </div>
      {deliveryError !== undefined && !delivered && <p className="problem">{deliveryError}</p>}
      {retry.isError && <Problem error={retry.error} />}
      <Attempts id={id} />
    </li>
  )
}

/** Loaded when it is unfolded. */
const Attempts = ({ id }: { readonly id: string }) => {
  const t = useTexts('webhooks')
  const formats = useFormats()
  const { company } = useHere()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: ['deliveries', company, 'one', id],
    queryFn: () => api.readEvent({ company, params: { id }, query: { answers: true } }),
    enabled: isOpen,
  })
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.attempts}</summary>
      {data?.attempts?.map((attempt, index) => (
        <div key={attempt.startedAt} className="stack">
          <div className="row">
            <strong>{t.attempt(index + 1)}</strong>
            <span className="muted">{formats.time(attempt.startedAt)}</span>
            <span className="muted">{t.tookMs(attempt.durationMs)}</span>
            <span>{attempt.error ?? attempt.statusCode}</span>
          </div>
          <AttemptDetails attempt={attempt} />
        </div>
      ))}
      {data !== undefined && (
        <Fold title={t.payload}>
          <pre className="mono json">{JSON.stringify(data.payload, undefined, 2)}</pre>
        </Fold>
      )}
    </details>
  )
}
