import type { Mail } from '@millseal/contract'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { hasFailed } from '../../api/deliveries.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { ReadingDialog } from '../../ui/reading-dialog.tsx'
import { FilterChip, Finder, optionsOf } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { Problem } from '../../ui/problem.tsx'
import { Card, Loading } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { MailView } from './mail-view.tsx'
import type { MailsSearch } from './mails-search.ts'

const mailsQuery = (company: string, { text, outcome }: MailsSearch) =>
  pagesOf(['mails', company, text, outcome], ({ after, ...call }) =>
    api.listMails({
      company,
      query: {
        limit: 50,
        ...after,
        text,
        delivered: outcome && outcome === 'sent',
      },
      ...call,
    }),
  )

/** Sent mails and their results. */
export const SentMails = () => {
  const t = useTexts('mails')
  const { company } = useHere()
  const { text, outcome }: MailsSearch = useSearch({ strict: false })
  const narrow = useNarrowing<MailsSearch>()
  const list = useInfiniteQuery({
    ...mailsQuery(company, { text, outcome }),
    placeholderData: (previous) => previous,
    refetchInterval: 30_000,
  })
  const isNarrowed = text !== undefined || outcome !== undefined
  const reset = () => narrow({ text: undefined, outcome: undefined })
  const found = useFound(list)
  const isUnused = !isNarrowed && list.data?.pages[0]?.rows.length === 0
  return (
    <Card title={t.list}>
      <p className="muted">{t.intro}</p>
      {!isUnused && (
        <Finder label={t.search} found={found} isNarrowed={isNarrowed} onReset={reset}>
          <SearchInput
            label={t.search}
            hint={t.searchHint}
            value={text ?? ''}
            onChange={(next) => narrow({ text: next })}
          />
          <FilterChip
            label={t.state}
            any={t.anyOutcome}
            options={optionsOf(t.outcomes)}
            value={outcome}
            onChange={(next) => narrow({ outcome: next })}
          />
        </Finder>
      )}
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <p>
              <b>{t.none}.</b> {t.noneText}
            </p>
          </Nothing>
        }
      >
        {(mails) => <List mails={mails} />}
      </Rows>
    </Card>
  )
}

const List = ({ mails }: { readonly mails: readonly Mail[] }) => {
  const t = useTexts('mails')
  const { time } = useFormats()
  return (
    <Table
      label={t.list}
      columns={[t.subject, t.to, t.time, t.state, t.action]}
      lines={mails.map((mail) => ({
        id: mail.id,
        cells: [
          <b>{mail.subject}</b>,
          mail.to.join(', '),
          mail.createdAt === undefined ? '–' : <span className="whole">{time(mail.createdAt)}</span>,
          <Result mail={mail} />,
          <span className="row">
            <ReadMail mail={mail} />
            <Resend mail={mail} />
          </span>,
        ],
      }))}
    />
  )
}

type Props = { readonly mail: Mail }

const Result = ({ mail }: Props) => {
  const t = useTexts('mails')
  const inWords = useServerWords()
  const { relative } = useFormats()
  const { delivered, deliveryError, nextAttemptAt } = mail
  if (delivered) return <State kind="good">{t.sent}</State>
  return (
    <div className="outcome">
      <State kind={hasFailed(mail) ? 'bad' : 'wait'}>{hasFailed(mail) ? t.failed : t.waiting}</State>
      {nextAttemptAt !== undefined && <span className="muted">{t.nextTry(relative(nextAttemptAt))}</span>}
      {deliveryError !== undefined && <span className="problem">{inWords(deliveryError, mail.reasons)}</span>}
    </div>
  )
}

const Resend = ({ mail }: Props) => {
  const t = useTexts('mails')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => api.retryMail({ company, params: { id: mail.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['mails', company] }),
  })
  if (!may('retryMail') || !hasFailed(mail)) return null
  return (
    <>
      <Button
        isPending={retry.isPending}
        onPress={() => retry.mutate()}
        aria-label={`${t.resend}: ${mail.subject}`}
      >
        {t.resend}
      </Button>
      {retry.isError && <Problem error={retry.error} />}
    </>
  )
}

const ReadMail = ({ mail }: Props) => {
  const t = useTexts('mails')
  return (
    <ReadingDialog
      title={mail.subject}
      trigger={<Button aria-label={`${t.show}: ${mail.subject}`}>{t.show}</Button>}
    >
      <Content id={mail.id} />
    </ReadingDialog>
  )
}

const Content = ({ id }: { readonly id: string }) => {
  const { company } = useHere()
  const { data, error, refetch } = useQuery({
    queryKey: ['mails', company, 'one', id],
    queryFn: () => api.readMail({ company, params: { id } }),
  })
  if (data === undefined)
    return error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />
  const partOf = (wanted: string) => data.content.find(({ type }) => type === wanted)?.value
  const attached = data.attachments?.map(({ filename }) => filename) ?? []
  return <MailView html={partOf('text/html')} text={partOf('text/plain')} attached={attached} />
}
