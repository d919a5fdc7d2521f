import type { KeptRequirement } from '@millseal/contract'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Form } from '../../ui/form.tsx'
import { Card, Screen as Frame } from '../../ui/screen.tsx'
import '../form/form.css'
import { CheckFiles } from './check-files.tsx'
import { type Draft, draftOf, newDraft, requirementOf, withoutEmptyRows } from './draft.ts'
import { RequirementFields } from './requirement-fields.tsx'
import { Refused } from './refused.tsx'
import { faultsOf } from './refusal.ts'
import { RuleTable } from './rule-table.tsx'
import './requirements.css'

/** A requirement, or a new one. */
export const Screen = () => {
  const { id = 'new' } = useParams({ strict: false })
  return id === 'new' ? <One key="new" kept={undefined} /> : <Kept key={id} id={id} />
}

const Kept = ({ id }: { readonly id: string }) => {
  const { company } = useHere()
  const { data } = useSuspenseQuery({
    queryKey: ['requirements', company, id],
    queryFn: ({ signal }) => api.readRequirement({ company, params: { id }, signal }),
    // Otherwise a version that somebody else saves would take the place of what was typed.
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <One kept={data} />
}

const One = ({ kept }: { readonly kept: KeptRequirement | undefined }) => {
  const t = useTexts('requirements')
  const { may } = useHere()
  const [draft, setDraft] = useState(() => (kept === undefined ? newDraft : draftOf(kept)))
  const isReadOnly = !may('keepRequirement')
  const save = useSaving()
  const faults = (save.isError ? faultsOf(save.error, draft.rows.length) : undefined) ?? []
  const change = (part: Partial<Draft>): void => setDraft({ ...draft, ...part })
  const send = (): void => {
    const next = withoutEmptyRows(draft)
    setDraft(next)
    save.mutate(next)
  }
  const fields = <RequirementFields draft={draft} onChange={change} isReadOnly={isReadOnly} />
  const table = (
    <RuleTable
      rows={draft.rows}
      onChange={(rows) => change({ rows })}
      faults={faults}
      isReadOnly={isReadOnly}
    />
  )
  return (
    <Frame
      title={kept?.name ?? t.add}
      actions={
        <Link to="/requirements" className="button">
          {t.back}
        </Link>
      }
    >
      <Card>
        {isReadOnly ? (
          <div className="form">
            {fields}
            {table}
          </div>
        ) : (
          <Form
            action={t.save}
            onSubmit={send}
            isPending={save.isPending}
            isDisabled={draft.name.trim() === ''}
            beside={save.isSuccess && <span role="status">{t.saved}</span>}
          >
            {fields}
            {table}
            {save.isError && <Refused error={save.error} rows={draft.rows.length} />}
          </Form>
        )}
      </Card>
      {may('checkCertificate') && <CheckFiles draft={draft} />}
    </Frame>
  )
}

const useSaving = () => {
  const { company } = useHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (typed: Draft) => api.keepRequirement({ company, body: requirementOf(typed) }),
    async onSuccess(stored) {
      queries.setQueryData(['requirements', company, stored.id], stored)
      await queries.invalidateQueries({ queryKey: ['requirements', company, 'list'] })
      await navigate({ to: '/requirements/$id', params: { id: stored.id }, search: true })
    },
  })
}
