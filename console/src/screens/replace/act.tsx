import type { Certificate } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FindingSentences } from '../../ui/finding-sentences.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { Select } from '../../ui/select.tsx'
import { ReasonField } from '../certificates/one/reason-field.tsx'
import { blobOf, type Check } from '../form/check.ts'
import { deleteDraft, type Draft } from '../form/drafts.ts'
import { nameIn, useIdentities } from '../form/identities.ts'
import { NoIdentity } from '../form/no-identity.tsx'

const one: string = '/certificates/$id'

type Props = {
  readonly company: string
  readonly former: Certificate
  readonly check: Check
  readonly draft: Draft | undefined
}

/** The reason, the identity, what will happen, and the one button that notarizes, replaces and tells. */
export const Act = ({ company, former, check, draft }: Props) => {
  const t = useTexts('replace')
  const files = useTexts('files')
  const form = useTexts('form')
  const { mode } = former
  const [reason, setReason] = useState('')
  const [isRead, setRead] = useState(mode === 'test')
  const [identity, setIdentity] = useState(draft?.identity)
  const { usable, isNone, chosen, remember } = useIdentities(company, mode, identity)
  const act = useAct({ company, former, check, draft })
  const { findings } = check.doubts
  const addresses = check.addresses ?? []
  const doubtful = findings.length === 0 ? 0 : 1
  const isReady = chosen !== undefined && reason.trim() !== '' && isRead
  return (
    <Card>
      <p>{t.consequence}</p>
      {findings.length > 0 && <FindingSentences findings={findings} />}
      <ReasonField value={reason} onChange={setReason} />
      {isNone && <NoIdentity mode={mode} />}
      {chosen !== undefined && (
        <Select
          label={form.identity}
          options={usable.map((each) => ({ id: each.id, label: nameIn(form, each) }))}
          value={chosen.id}
          onChange={setIdentity}
        />
      )}
      <p>
        {files.before(1, doubtful, mode)} {files.mailedTo(addresses, mode)}
      </p>
      {addresses.length === 0 && <p className="amber">{files.unaddressed(1, 1)}</p>}
      {mode === 'live' && (
        <Checkbox isSelected={isRead} onChange={setRead}>
          {files.haveRead}
        </Checkbox>
      )}
      {act.isError && <Problem error={act.error} />}
      <div className="row">
        <span className="end" />
        <Button
          kind={doubtful === 0 ? 'primary' : 'plain'}
          className={doubtful === 0 ? '' : 'amber'}
          isPending={act.isPending}
          isDisabled={!isReady}
          onPress={() => {
            if (chosen === undefined) return
            remember(chosen.id)
            act.mutate({ identity: chosen.id, reason: reason.trim() })
          }}
        >
          {doubtful === 0 ? t.act : t.actDoubtful}
        </Button>
      </div>
    </Card>
  )
}

const useAct = ({ company, former, check, draft }: Props) => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ identity, reason }: { readonly identity: string; readonly reason: string }) =>
      api.notarizeCertificate({
        company,
        // Its findings are shown beside the button.
        query: { identity, mode: former.mode, replaces: former.id, reason, onFindings: 'accept' },
        document: blobOf(check.text),
      }),
    async onSuccess({ jobId }) {
      if (draft !== undefined) deleteDraft(draft.id)
      await queries.invalidateQueries()
      await navigate({
        to: one,
        params: { id: jobId ?? former.id },
      })
    },
  })
}
