import type { ReadInboxEntry } from '@millseal/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { fileNameOf, saveFile } from '../../ui/save-file.ts'
import { Card, Facts, Loading, Screen as Frame } from '../../ui/screen.tsx'
import { Select } from '../../ui/select.tsx'
import { CheckResult, VerdictState } from '../requirements/check-result.tsx'
import { Genuine, Meets } from './answers.tsx'
import { Decide } from './decide.tsx'
import { entryQuery, refreshDesk, requirementsQuery } from './queries.ts'
import './desk.css'

type Props = { readonly entry: ReadInboxEntry }

/** One certificate: the answers, each line of the check, the decision and its history. */
export const Screen = () => {
  const t = useTexts('desk')
  const { company } = useHere()
  const { id = '' } = useParams({ strict: false })
  const { data: entry, error, refetch } = useQuery(entryQuery({ company, id }))
  if (entry === undefined)
    return (
      <Frame title={t.title}>
        {error === null ? <Loading /> : <Problem error={error} onRetry={() => void refetch()} />}
      </Frame>
    )
  return (
    <Frame title={nameOf(entry, t.unnamed)} actions={<Decide entry={entry} />}>
      <p>
        <Link to="/desk">{t.title}</Link>
      </p>
      {entry.alarm !== undefined && <Notice kind="warn">{t.alarmText}</Notice>}
      <GenuineCard entry={entry} />
      <MeetsCard entry={entry} />
      <About entry={entry} />
      <History entry={entry} />
    </Frame>
  )
}

const nameOf = ({ summary, fileName }: ReadInboxEntry, unnamed: string): string =>
  summary.identifier ?? fileName ?? unnamed

const GenuineCard = ({ entry }: Props) => {
  const t = useTexts('desk')
  const { time } = useFormats()
  const { changed, askedAt } = entry
  return (
    <Card title={t.genuineTitle}>
      <Genuine entry={entry} />
      {askedAt !== undefined && <p className="muted">{t.askedAt(time(askedAt))}</p>}
      {changed !== undefined && (
        <>
          <h3>{t.changedTitle}</h3>
          <p>{t.changedText}</p>
          <ul>
            {changed.values.map(({ of, heat, original = t.nothing, here = t.nothing }, at) => (
              <li key={at}>
                {t.changedFrom([of, heat].filter((part) => part !== undefined).join(', '), original, here)}
              </li>
            ))}
          </ul>
          <Link to="/desk/$id" params={{ id: changed.original }}>
            {t.toOriginal}
          </Link>
        </>
      )}
    </Card>
  )
}

const MeetsCard = ({ entry }: Props) => {
  const t = useTexts('desk')
  const { check, order, lines, selfCheck } = entry
  return (
    <Card title={t.meetsTitle} actions={check && <VerdictState verdict={check.verdict} />}>
      {(check === undefined || order !== undefined) && <Meets entry={entry} />}
      <Choose entry={entry} />
      {lines.length > 0 && (
        <CheckResult check={{ requirement: check?.requirement, lines, findings: selfCheck }} />
      )}
    </Card>
  )
}

const Choose = ({ entry: { id, state, check, unchecked } }: Props) => {
  const t = useTexts('desk')
  const { company, may } = useHere()
  const { data: kept } = useQuery(requirementsQuery(company))
  const choose = useMutation({
    mutationFn: async (name: string | undefined) => {
      await api.checkInbox({ company, body: { ids: [id], against: name } })
      await refreshDesk(company)
    },
  })
  if (state !== 'new' || unchecked === 'noData' || !may('checkInbox') || kept === undefined) return null
  if (kept.length === 0) return <p>{t.noRequirements}</p>
  return (
    <>
      <Select
        label={t.checkAgainst}
        options={kept.map((one) => ({ id: one.id, label: one.name }))}
        value={kept.find(({ name }) => name === check?.requirement.name)?.id}
        onChange={(chosen) => choose.mutate(kept.find((one) => one.id === chosen)?.name)}
      />
      {choose.isError && <Problem error={choose.error} />}
    </>
  )
}

const About = ({ entry }: Props) => {
  const t = useTexts('desk')
  const { summary, issuer, fileName, files } = entry
  const joined = (...parts: readonly (string | undefined)[]) =>
    parts.filter((part) => part !== undefined).join(' · ')
  return (
    <Card
      title={t.columns.certificate}
      actions={files.map((type) => <Download key={type} entry={entry} type={type} />)}
    >
      <Facts
        facts={[
          [t.supplier, summary.sellerName],
          [t.issuer, issuer],
          [t.product, summary.productDescription],
          [t.order, joined(summary.orderNumber, summary.orderPosition)],
          [t.delivery, joined(summary.deliveryNumber, summary.deliveryPosition)],
          [t.heats, summary.heats?.join(', ')],
          [t.fileName, fileName],
        ]}
      />
    </Card>
  )
}

const Download = ({ entry, type }: Props & { readonly type: 'json' | 'pdf' }) => {
  const t = useTexts('desk')
  const { company } = useHere()
  const save = useMutation({
    mutationFn: async () => {
      const content = await api.readInboxFile({ company, params: { id: entry.id }, query: { type } })
      saveFile(`${fileNameOf(nameOf(entry, t.unnamed))}.${type}`, content)
    },
  })
  return (
    <>
      {save.isError && <Problem error={save.error} />}
      <Button isPending={save.isPending} onPress={() => save.mutate()}>
        {t.files[type]}
      </Button>
    </>
  )
}

const shownHash = 12

/** Newest first; at the end, that it was received. */
const History = ({ entry: { history, createdAt, source } }: Props) => {
  const t = useTexts('desk')
  const { time } = useFormats()
  return (
    <Card title={t.history}>
      <ul>
        {history.map(({ decision, at, by, reason, requirement }, index) => (
          <li key={index}>
            <b>{t.decisions[decision]}</b> {by?.name !== undefined && t.by(by.name)}, {time(at)}
            {requirement !== undefined && (
              <span className="muted">
                {' '}
                {t.madeWith(requirement.name, requirement.hash.slice(0, shownHash))}
              </span>
            )}
            {reason !== undefined && <p>{reason}</p>}
          </li>
        ))}
        <li>
          {t.received}: {t.sources[source]}, {time(createdAt)}
        </li>
      </ul>
    </Card>
  )
}
