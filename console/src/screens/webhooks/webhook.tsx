import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card, Facts, Fold, Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Deliveries } from './deliveries.tsx'
import { HookForm } from './hook-form.tsx'
import { hookQuery } from './queries.ts'
import { chosenIn, othersIn } from './scopes.ts'
import { Examples, ShownSecret, takeSecret } from './shown-secret.tsx'

const route = getRouteApi('/person/webhooks/$id')

export const Screen = () => {
  const t = useTexts('webhooks')
  const { id } = route.useParams()
  const { company, may } = useHere()
  const queries = useQueryClient()
  const { data: hook } = useSuspenseQuery(hookQuery(company, id))
  const [secret, setSecret] = useState(() => takeSecret(id))
  const call = { company, params: { id } }
  const refresh = () => queries.invalidateQueries({ queryKey: ['hooks', company] })
  const test = useMutation({
    mutationFn: () => api.testHook(call),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries', company] }),
  })
  const change = useMutation({
    mutationFn: (body: Parameters<typeof api.updateHook>[0]['body']) => api.updateHook({ ...call, body }),
    onSuccess: refresh,
  })
  const isOn = hook.status === 'enabled'
  const mayChange = may('updateHook')
  return (
    <Frame
      title={hook.name ?? hook.connectionUrl}
      aside={<State kind={isOn ? 'good' : 'gone'}>{isOn ? t.enabled : t.disabled}</State>}
      actions={
        <>
          {may('testHook') && isOn && (
            <Button kind="primary" isPending={test.isPending} onPress={() => test.mutate()}>
              {t.test}
            </Button>
          )}
          {mayChange && (
            <Button onPress={() => change.mutate({ status: isOn ? 'disabled' : 'enabled' })}>
              {isOn ? t.switchOff : t.switchOn}
            </Button>
          )}
        </>
      }
    >
      <Link to="/webhooks">{t.back}</Link>
      {secret !== undefined && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
      {test.isSuccess && <Notice kind="good">{t.testSent}</Notice>}
      {(test.error ?? change.error) !== null && <Problem error={test.error ?? change.error} />}
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
            [
              t.whichEvents,
              [...chosenIn(hook.scopes).map((name) => t.events[name]), ...othersIn(hook.scopes)].join(' · '),
            ],
            [t.notify, hook.notifyEmail],
          ]}
        />
        {mayChange && (
          <Fold title={t.edit}>
            <HookForm hook={hook} save={(fields) => change.mutateAsync(fields)} />
          </Fold>
        )}
        <Examples />
        <Acts
          name={hook.name ?? hook.connectionUrl}
          onSecret={async () => {
            const rotated = await api.rotateHookSecret(call)
            setSecret(rotated.secret)
          }}
          onDelete={() => api.deleteHook(call)}
        />
      </Card>
      <Deliveries hook={id} />
    </Frame>
  )
}

type ActsProps = {
  readonly name: string
  readonly onSecret: () => Promise<unknown>
  readonly onDelete: () => Promise<unknown>
}

const Acts = ({ name, onSecret, onDelete }: ActsProps) => {
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
