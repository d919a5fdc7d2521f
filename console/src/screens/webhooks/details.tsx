import type { Hook } from '@millseal/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Card, Facts, Fold } from '../../ui/screen.tsx'
import type { HookFields } from './hook-fields.ts'
import { HookForm } from './hook-form.tsx'
import { chosenIn, othersIn } from './scopes.ts'
import { Examples } from './shown-secret.tsx'

/** The settings of a webhook, and its actions. */
export const Details = ({
  hook,
  onChange,
  onSecret,
}: {
  readonly hook: Hook
  readonly onChange: (fields: HookFields) => Promise<unknown>
  readonly onSecret: (secret: string) => void
}) => {
  const t = useTexts('webhooks')
  const { company, may } = useHere()
  const call = { company, params: { id: hook.id } }
  const events = [...chosenIn(hook.scopes).map((name) => t.events[name]), ...othersIn(hook.scopes)]
  return (
    <Card>
      <Facts
        facts={[
          [
            t.address,
            <span key="address" className="mono">
              {hook.connectionUrl}
            </span>,
          ],
          [t.mode, t.modes[hook.mode]],
          [t.whichEvents, events.join(' · ')],
          [t.notify, hook.notifyEmail],
        ]}
      />
      {may('updateHook') && (
        <Fold title={t.edit}>
          <HookForm hook={hook} save={onChange} />
        </Fold>
      )}
      <Examples />
      <Acts
        name={hook.name ?? hook.connectionUrl}
        onSecret={async () => onSecret((await api.rotateHookSecret(call)).secret)}
        onDelete={() => api.deleteHook(call)}
      />
    </Card>
  )
}

const Acts = ({
  name,
  onSecret,
  onDelete,
}: {
  readonly name: string
  readonly onSecret: () => Promise<unknown>
  readonly onDelete: () => Promise<unknown>
}) => {
  const t = useTexts('webhooks')
  const { company, may } = useHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <div className="row">
      {may('rotateHookSecret') && (
        <Confirm
          trigger={<Button>{t.rotate}</Button>}
          title={t.rotateTitle}
          consequence={t.rotateText}
          action={t.rotate}
          onConfirm={onSecret}
        />
      )}
      {may('deleteHook') && (
        <Confirm
          trigger={<Button kind="danger">{t.remove}</Button>}
          title={t.removeTitle(name)}
          consequence={t.removeText}
          action={t.remove}
          typed={name}
          onConfirm={async () => {
            await onDelete()
            await navigate({ to: '/webhooks' })
            await queries.invalidateQueries({ queryKey: ['hooks', company] })
          }}
        />
      )}
    </div>
  )
}
