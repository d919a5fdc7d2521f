import type { Company, Review } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'

type Decision = Review['decision']

type Choice = { readonly company: Company; readonly decision: Decision }

/** A button that opens the last step of a decision: its consequences, and the reason. */
export const Decide = ({
  company,
  decision,
  onDone,
}: Choice & { readonly onDone: (decision: Decision) => void }) => {
  const t = useTexts('operator').review
  const words = useWords({ company, decision })
  return (
    <Dialog
      title={words.title(company.name)}
      trigger={<Button kind={decision === 'verified' ? 'primary' : 'danger'}>{words.action}</Button>}
    >
      {(close) => (
        <LastStep
          company={company}
          decision={decision}
          action={words.action}
          consequence={words.consequence}
          reasonLabel={decision === 'verified' ? t.reasonOptional : t.reason}
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

const useWords = ({ company, decision }: Choice) => {
  const t = useTexts('operator').review
  if (decision === 'verified') return { action: t.verify, title: t.verifyTitle, consequence: t.verifyText }
  return company.verified
    ? { action: t.withdraw, title: t.withdrawTitle, consequence: t.withdrawText }
    : { action: t.reject, title: t.rejectTitle, consequence: t.rejectText }
}

const LastStep = (
  props: Choice & {
    readonly action: string
    readonly consequence: string
    readonly reasonLabel: string
    readonly onCancel: () => void
    readonly onDone: () => void
  },
) => {
  const { company, decision, action, consequence, reasonLabel, onCancel, onDone } = props
  const t = useTexts('operator').review
  const common = useTexts('common')
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const [revokesKeys, setRevokesKeys] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const body = { decision, reason: reason.trim() || undefined, revokeKeys: revokesKeys || undefined }
      return api.reviewCompany({ params: { id: company.id }, body })
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['operator'] })
      onDone()
    },
  })
  const decide = () => {
    const lacksReason = decision === 'rejected' && reason.trim() === ''
    setMissing(lacksReason)
    if (!lacksReason) mutate()
  }
  return (
    <>
      <p>{consequence}</p>
      <TextField
        label={reasonLabel}
        hint={t.reasonHint}
        problem={isMissing ? t.reasonMissing : undefined}
        rows={4}
        maxLength={500}
        value={reason}
        onChange={setReason}
        autoFocus
      />
      {decision === 'rejected' && company.verified && (
        <Checkbox isSelected={revokesKeys} onChange={setRevokesKeys}>
          {t.revokeKeys}
        </Checkbox>
      )}
      {error !== null && <Problem error={error} title={t.failed} />}
      <div className="row">
        <span className="end" />
        <Button onPress={onCancel}>{common.cancel}</Button>
        <Button kind={decision === 'verified' ? 'primary' : 'danger'} isPending={isPending} onPress={decide}>
          {action}
        </Button>
      </div>
    </>
  )
}
