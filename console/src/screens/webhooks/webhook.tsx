import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Screen as Frame } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { Deliveries } from './deliveries.tsx'
import { Details } from './details.tsx'
import { hookQuery } from './queries.ts'
import { ShownSecret, takeSecret } from './shown-secret.tsx'

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
          {mayChange && (
            <Button onPress={() => change.mutate({ status: isOn ? 'disabled' : 'enabled' })}>
              {isOn ? t.switchOff : t.switchOn}
            </Button>
          )}
          {may('testHook') && isOn && (
            <Button kind="primary" isPending={test.isPending} onPress={() => test.mutate()}>
              {t.test}
            </Button>
          )}
        </>
      }
    >
      <Link to="/webhooks">{t.back}</Link>
      {secret !== undefined && <ShownSecret secret={secret} onClose={() => setSecret(undefined)} />}
      {test.isSuccess && <Notice kind="good">{t.testSent}</Notice>}
      {(test.error ?? change.error) !== null && <Problem error={test.error ?? change.error} />}
      <Details hook={hook} onChange={(fields) => change.mutateAsync(fields)} onSecret={setSecret} />
      <Deliveries hook={id} />
    </Frame>
  )
}
