import type { Company, CompanyNameCheck, CreateReview, Review } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Actions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { nameCheckQuery } from './queries.ts'

type Decision = Review['decision']

type Choice = {
  readonly company: Company
  readonly similar: CompanyNameCheck['similar']
  readonly decision: Decision
}

/** A button that opens the last step of a decision: its consequences, and the reason. */
export const Decide = ({
  company,
  similar,
  decision,
  onDone,
}: Choice & { readonly onDone: (decision: Decision) => void }) => {
  const words = useWords(company, decision)
  return (
    <Dialog
      title={words.title(company.name)}
      trigger={<Button kind={decision === 'verified' ? 'primary' : 'danger'}>{words.action}</Button>}
    >
      {(close) => (
        <LastStep
          company={company}
          similar={similar}
          decision={decision}
          onCancel={close}
          onDone={() => {
            close()
            onDone(decision)
          }}
        />
      )}
    </Dialog>
  )
}

const useWords = (company: Company, decision: Decision) => {
  const t = useTexts('operator').review
  if (decision === 'verified') return { action: t.verify, title: t.verifyTitle, consequence: t.verifyText }
  return company.verified
    ? { action: t.withdraw, title: t.withdrawTitle, consequence: t.withdrawText }
    : { action: t.reject, title: t.rejectTitle, consequence: t.rejectText }
}

const LastStep = ({
  company,
  similar,
  decision,
  onCancel,
  onDone,
}: Choice & { readonly onCancel: () => void; readonly onDone: () => void }) => {
  const { action, consequence } = useWords(company, decision)
  const { review: t, names } = useTexts('operator')
  const [reason, setReason] = useState('')
  const [revokeKeys, setRevokeKeys] = useState(false)
  const [acceptSimilarName, setAcceptSimilarName] = useState(false)
  const [isIncomplete, setIncomplete] = useState(false)
  const { mutate, error, isPending } = useDecision(company.id, onDone)
  const isVerifying = decision === 'verified'
  const asksAboutName = isVerifying && similar.length > 0
  const lacksReason = !isVerifying && reason.trim() === ''
  const lacksName = asksAboutName && !acceptSimilarName
  const decide = () => {
    setIncomplete(lacksReason || lacksName)
    if (!lacksReason && !lacksName)
      mutate({ decision, reason: reason.trim() || undefined, revokeKeys, acceptSimilarName })
  }
  return (
    <>
      <p>{consequence}</p>
      <TextField
        label={isVerifying ? t.reasonOptional : t.reason}
        hint={!isVerifying && company.verified ? t.reasonPublicHint : t.reasonHint}
        problem={isIncomplete && lacksReason ? t.reasonMissing : undefined}
        rows={4}
        maxLength={500}
        value={reason}
        onChange={setReason}
        autoFocus
      />
      {!isVerifying && company.verified && (
        <Checkbox isSelected={revokeKeys} onChange={setRevokeKeys}>
          {t.revokeKeys}
        </Checkbox>
      )}
      {asksAboutName && (
        <Checkbox isSelected={acceptSimilarName} onChange={setAcceptSimilarName}>
          {names.accept(similar.map(({ name, vatId }) => `${name} (${vatId})`).join(', '))}
        </Checkbox>
      )}
      {isIncomplete && lacksName && <Notice kind="warn">{names.acceptMissing}</Notice>}
      {error !== null && <Problem error={error} title={t.failed} />}
      <Actions onCancel={onCancel}>
        <Button kind={isVerifying ? 'primary' : 'danger'} isPending={isPending} onPress={decide}>
          {action}
        </Button>
      </Actions>
    </>
  )
}

const useDecision = (id: string, onDone: () => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: CreateReview) => api.reviewCompany({ params: { id }, body }),
    // Another company may have been verified under this name since the page was opened.
    onError: () => queries.invalidateQueries({ queryKey: nameCheckQuery(id).queryKey }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['operator'] })
      onDone()
    },
  })
}
