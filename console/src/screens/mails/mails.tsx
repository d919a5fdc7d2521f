import type { Mail } from '@millseal/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { hasFailed } from '../../api/deliveries.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Paper } from '../../ui/paper.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Empty, Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { MailHooks } from './mail-hooks.tsx'
import { Suppressions } from './suppressions.tsx'

const route = getRouteApi('/person/mails')

export const Screen = () => {
  const t = useTexts('mails')
  const { company, may } = useHere()
  const navigate = useNavigate()
  const { failed: onlyFailed = false } = route.useSearch()
  const { data: mails, error } = useQuery({
    queryKey: ['mails', company, onlyFailed],
    queryFn: () => api.listMails({ company, query: onlyFailed ? { delivered: false } : {} }),
    refetchInterval: 10_000,
  })
  return (
    <Frame title={t.title}>
      <p className="muted">{t.intro}</p>
      <div className="chips">
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
      </div>
      {error !== null && <Problem error={error} />}
      {mails?.length === 0 && (
        <Empty title={onlyFailed ? t.noFailed : t.none}>{!onlyFailed && <p>{t.noneText}</p>}</Empty>
      )}
      {mails !== undefined && mails.length > 0 && (
        <ul className="entries card">
          {mails.map((mail) => (
            <Entry key={mail.id} mail={mail} />
          ))}
        </ul>
      )}
      {may('listMailHooks') && <MailHooks />}
      {may('listSuppressions') && <Suppressions />}
    </Frame>
  )
}

const Entry = ({ mail }: { readonly mail: Mail }) => {
  const t = useTexts('mails')
  const formats = useFormats()
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { id, to, subject, createdAt, delivered, deliveryError, nextAttemptAt } = mail
  const retry = useMutation({
    mutationFn: () => api.retryMail({ company, params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['mails', company] }),
  })
  return (
    <li>
      <div className="row">
        {delivered ? (
          <State kind="good">{t.sent}</State>
        ) : (
          <State kind={hasFailed(mail) ? 'bad' : 'wait'}>{hasFailed(mail) ? t.failed : t.waiting}</State>
        )}
        <strong>{subject}</strong>
        <span className="muted">{createdAt !== undefined && formats.time(createdAt)}</span>
        {nextAttemptAt !== undefined && (
          <span className="muted">{t.nextTry(formats.relative(nextAttemptAt))}</span>
        )}
        <span className="end">
          {may('retryMail') && hasFailed(mail) && (
            <Button kind="quiet" isPending={retry.isPending} onPress={() => retry.mutate()}>
              {t.resend}
            </Button>
          )}
        </span>
      </div>
      <p className="muted">{to.join(', ')}</p>
      {deliveryError !== undefined && !delivered && <p className="problem">{deliveryError}</p>}
      {retry.isError && <Problem error={retry.error} />}
      <Content id={id} />
    </li>
  )
}

/** The mail as it looks, loaded when it is unfolded. */
const Content = ({ id }: { readonly id: string }) => {
  const t = useTexts('mails')
  const { company } = useHere()
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: ['mails', company, 'one', id],
    queryFn: () => api.readMail({ company, params: { id } }),
    enabled: isOpen,
  })
  const html = data?.content.find(({ type }) => type === 'text/html')?.value
  const plain = data?.content.find(({ type }) => type === 'text/plain')?.value
  return (
    <details className="fold" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t.show}</summary>
      {html === undefined ? <pre className="mono json">{plain}</pre> : <Paper html={html} label={t.show} />}
      {data?.attachments !== undefined && data.attachments.length > 0 && (
        <p className="muted">
          {t.attachments}: {data.attachments.map(({ filename }) => filename).join(', ')}
        </p>
      )}
    </details>
  )
}
