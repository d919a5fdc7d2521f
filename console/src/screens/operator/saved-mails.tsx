import type { WrittenMail } from '@millseal/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHasMailFolder } from '../../shell/mail-folder.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Finder } from '../../ui/list/finder.tsx'
import { Nothing } from '../../ui/list/nothing.tsx'
import { pagesOf } from '../../ui/list/pages.ts'
import { Rows, useFound } from '../../ui/list/rows.tsx'
import { SearchInput } from '../../ui/list/search-input.tsx'
import { Table } from '../../ui/list/table.tsx'
import { useNarrowing } from '../../ui/list/use-narrowing.ts'
import { Problem } from '../../ui/problem.tsx'
import { ReadingDialog } from '../../ui/reading-dialog.tsx'
import { Empty, Facts, Screen as Frame, Loading } from '../../ui/screen.tsx'
import { MailView } from '../mails/mail-view.tsx'
import { OperatorsOnly } from './operators-only.tsx'
import type { SavedMailsSearch } from './searches.ts'

export const Screen = () => (
  <OperatorsOnly>
    <SavedMails />
  </OperatorsOnly>
)

const refreshMs = 10_000

const savedMailsQuery = ({ text }: SavedMailsSearch) =>
  pagesOf(['operator', 'saved-mails', text], ({ after, ...call }) =>
    api.listWrittenMails({ query: { limit: 50, ...after, text }, ...call }),
  )

const SavedMails = () => {
  const t = useTexts('saved-mails')
  const hasFolder = useHasMailFolder()
  return (
    <Frame title={t.title}>
      {hasFolder === undefined && <Loading />}
      {hasFolder === false && (
        <Empty title={t.gone}>
          <p>{t.goneText}</p>
        </Empty>
      )}
      {hasFolder === true && <Found />}
    </Frame>
  )
}

const Found = () => {
  const t = useTexts('saved-mails')
  const mails = useTexts('mails')
  const { text }: SavedMailsSearch = useSearch({ strict: false })
  const narrow = useNarrowing<SavedMailsSearch>()
  const list = useInfiniteQuery({
    ...savedMailsQuery({ text }),
    placeholderData: (previous) => previous,
    refetchInterval: refreshMs,
  })
  const isNarrowed = text !== undefined
  const reset = () => narrow({ text: undefined })
  return (
    <>
      <p className="muted">{t.intro}</p>
      <Finder label={t.search} found={useFound(list)} isNarrowed={isNarrowed} onReset={reset}>
        <SearchInput
          label={t.search}
          hint={mails.searchHint}
          value={text ?? ''}
          onChange={(next) => narrow({ text: next })}
        />
      </Finder>
      <Rows
        list={list}
        empty={
          <Nothing isNarrowed={isNarrowed} onReset={reset}>
            <Empty title={t.none}>
              <p>{t.noneText}</p>
            </Empty>
          </Nothing>
        }
      >
        {(written) => <List written={written} />}
      </Rows>
    </>
  )
}

const List = ({ written }: { readonly written: readonly WrittenMail[] }) => {
  const t = useTexts('saved-mails')
  const mails = useTexts('mails')
  const { time } = useFormats()
  return (
    <Table
      label={t.title}
      columns={[mails.subject, mails.to, mails.time, mails.action]}
      lines={written.map(({ id, subject, to, writtenAt }) => ({
        id,
        cells: [
          <b>{subject}</b>,
          to.join(', '),
          <span className="whole">{time(writtenAt)}</span>,
          <ReadingDialog
            title={subject}
            trigger={<Button aria-label={`${mails.show}: ${subject}`}>{mails.show}</Button>}
          >
            <Content id={id} />
          </ReadingDialog>,
        ],
      }))}
    />
  )
}

const Content = ({ id }: { readonly id: string }) => {
  const t = useTexts('saved-mails')
  const mails = useTexts('mails')
  const { data, error, refetch } = useQuery({
    queryKey: ['operator', 'saved-mails', 'one', id],
    queryFn: () => api.readWrittenMail({ params: { id } }),
  })
  if (data === undefined)
    return error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Facts
        facts={[
          [t.from, data.from],
          [mails.to, data.to.join(', ')],
        ]}
      />
      <MailView
        html={data.html}
        text={data.text}
        attached={data.attachments.map(({ filename }) => filename)}
      />
    </>
  )
}
