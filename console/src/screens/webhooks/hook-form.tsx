import type { Hook } from '@millseal/contract'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { EventChoice } from './event-choice.tsx'
import type { HookFields } from './hook-fields.ts'
import { scopesOf } from './scopes.ts'
import { Target } from './target.tsx'

/** The address, the events and the mails about failures, with a test before anything is saved. */
export const HookForm = ({
  hook,
  save,
  children,
}: {
  readonly hook?: Hook
  readonly save: (fields: HookFields) => Promise<unknown>
  readonly children?: ReactNode
}) => {
  const t = useTexts('webhooks')
  const common = useTexts('common')
  const { mode } = useHere()
  const [fields, setFields] = useState<HookFields>({
    name: hook?.name ?? '',
    connectionUrl: hook?.connectionUrl ?? '',
    mode: hook?.mode ?? mode,
    ordered: hook?.ordered ?? false,
    notifyEmail: hook?.notifyEmail ?? '',
    scopes: hook?.scopes ?? scopesOf(['certificates/notarize_one', 'certificates/receive_one']),
  })
  const change = (changed: Partial<HookFields>) => setFields({ ...fields, ...changed })
  const saving = useMutation({ mutationFn: () => save(fields) })
  return (
    <Form
      onSubmit={() => saving.mutate()}
      action={common.save}
      isPending={saving.isPending}
      isDisabled={fields.scopes.length === 0 || fields.name.trim() === '' || fields.connectionUrl === ''}
    >
      <Target fields={fields} change={change} />
      <EventChoice scopes={fields.scopes} onChange={(scopes) => change({ scopes })} />
      <Card>
        <TextField
          label={t.notify}
          hint={t.notifyHint}
          type="email"
          value={fields.notifyEmail}
          onChange={(notifyEmail) => change({ notifyEmail })}
        />
        <Checkbox isSelected={fields.ordered} onChange={(ordered) => change({ ordered })}>
          {t.ordered}
        </Checkbox>
        {children}
      </Card>
      {saving.isError && <Problem error={saving.error} title={t.saveFailed} />}
    </Form>
  )
}
