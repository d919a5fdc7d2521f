import type { DecideInbox, ReadInboxEntry } from '@millseal/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { refreshDesk } from './queries.ts'

type Props = { readonly entry: ReadInboxEntry }

const longestReason = 500

/** The decisions that are possible now. */
export const Decide = ({ entry }: Props) => {
  const t = useTexts('desk')
  const { may } = useHere()
  if (!may('decideInbox')) return null
  if (entry.state !== 'new') return <Undo entry={entry} />
  const isMet = entry.advice === 'meetsEverything'
  return (
    <>
      <WithReason entry={entry} decision="archived" title={t.archive} text={t.archiveText} kind="plain" />
      <WithReason entry={entry} decision="rejected" title={t.reject} text={t.rejectText} kind="danger" />
      {isMet ? (
        <Accept entry={entry} />
      ) : (
        <WithReason
          entry={entry}
          decision="acceptedWithConcession"
          title={t.acceptAnyway}
          text={t.acceptAnywayText}
          kind="plain"
        />
      )}
    </>
  )
}

const useDecide = ({ id }: ReadInboxEntry) => {
  const { company } = useHere()
  return async (decision: DecideInbox['decision'], reason?: string): Promise<void> => {
    await api.decideInbox({ company, body: { ids: [id], decision, reason } })
    await refreshDesk(company)
  }
}

const Accept = ({ entry }: Props) => {
  const t = useTexts('desk')
  const decide = useDecide(entry)
  const accept = useMutation({ mutationFn: () => decide('accepted') })
  return (
    <>
      {accept.isError && <Problem error={accept.error} />}
      <Button kind="primary" isPending={accept.isPending} onPress={() => accept.mutate()}>
        {t.accept}
      </Button>
    </>
  )
}

const WithReason = ({
  entry,
  decision,
  title,
  text,
  kind,
}: Props & {
  readonly decision: Exclude<DecideInbox['decision'], 'accepted'>
  readonly title: string
  readonly text: string
  readonly kind: 'danger' | 'plain'
}) => {
  const t = useTexts('desk')
  const decide = useDecide(entry)
  const [reason, setReason] = useState('')
  const needsReason = decision !== 'archived'
  const given = reason.trim()
  return (
    <Confirm
      trigger={<Button kind={kind}>{title}</Button>}
      title={title}
      consequence={text}
      action={title}
      kind={kind === 'danger' ? 'danger' : 'primary'}
      isReady={!needsReason || given !== ''}
      onConfirm={() => decide(decision, needsReason ? given : undefined)}
    >
      {needsReason && (
        <TextField
          label={t.reason}
          hint={t.reasonHint}
          value={reason}
          onChange={setReason}
          maxLength={longestReason}
          isRequired
        />
      )}
    </Confirm>
  )
}

const Undo = ({ entry: { id, decision } }: Props) => {
  const t = useTexts('desk')
  const { company } = useHere()
  if (decision?.undoUntil === undefined || new Date(decision.undoUntil) < new Date()) return null
  return (
    <Confirm
      trigger={<Button>{t.undo}</Button>}
      title={t.undo}
      consequence={t.undoText}
      action={t.undo}
      kind="primary"
      onConfirm={async () => {
        await api.undoInboxDecision({ company, params: { id } })
        await refreshDesk(company)
      }}
    />
  )
}
