import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { Copyable, CopyButton } from '../../ui/copy.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, type Fact, Facts } from '../../ui/screen.tsx'

/** Each call makes a token, so it waits until the person asks for it. */
const useConstants = () => useMutation({ mutationFn: () => api.readAutomationConstants() })

/** The automation constants of the specification: everything to copy into a flow or a script. */
export const Constants = () => {
  const t = useTexts('automation')
  const common = useTexts('common')
  const shell = useTexts('shell')
  const { company, mode, may, session } = useHere()
  const mayList = may('listIdentities')
  const constants = useConstants()
  const token = constants.data?.accessToken
  const { data: broker } = useSuspenseQuery({
    queryKey: ['broker', company],
    queryFn: () => api.readBroker({ company }),
  })
  const { data: identities } = useSuspenseQuery({
    queryKey: ['identities', company, mode, mayList],
    queryFn: async () => (mayList ? await api.listIdentities({ company, query: { mode } }) : []),
  })
  const copyable = (label: string, text: string): Fact => [
    label,
    <Copyable key={label} text={text} label={label} />,
  ]
  const none = mayList ? t.noIdentities : shell.liveNeeds
  const curl = (bearer: string) =>
    `curl -H 'authorization: Bearer ${bearer}' -H 'company: ${company}' '${location.origin}/api/certificates?mode=${mode}'`
  return (
    <Card title={t.constants}>
      <OwnToken constants={constants} />
      <Facts
        facts={[
          copyable(t.companyId, company),
          copyable(t.userId, session.me.id),
          [
            t.identities(common[mode]),
            identities.length === 0
              ? none
              : identities.map(({ id, name }) => (
                  <span key={id} className="below">
                    <Copyable text={id} label={name ?? t.identities(common[mode])} />{' '}
                    {name !== undefined && <span className="muted">{name}</span>}
                  </span>
                )),
          ],
          copyable(t.host, location.origin),
          copyable(t.mqttHost, broker.mqttUrl),
          copyable(t.mqttOverWebSocket, broker.wsUrl),
          copyable(t.mqttUser, broker.username),
          copyable(t.mqttClient, broker.clientIdPrefix),
          [
            t.curl,
            <span key="curl" className="copyable">
              <span className="mono">{curl('…')}</span>
              {token !== undefined && <CopyButton text={curl(token)} label={t.curl} />}
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

const OwnToken = ({ constants }: { readonly constants: ReturnType<typeof useConstants> }) => {
  const t = useTexts('automation')
  const formats = useFormats()
  const { data, error, isPending, mutate } = constants
  return (
    <>
      {data === undefined ? (
        <>
          <p className="muted">{t.accessTokenText}</p>
          <Button kind="primary" isPending={isPending} onPress={() => mutate()}>
            {t.accessTokenMake}
          </Button>
        </>
      ) : (
        <AccessToken token={data.accessToken} until={formats.time(data.expiresAt)} />
      )}
      {error !== null && <Problem error={error} onRetry={() => mutate()} />}
    </>
  )
}

const AccessToken = ({ token, until }: { readonly token: string; readonly until: string }) => {
  const t = useTexts('automation')
  const [isShown, setShown] = useState(false)
  return (
    <div>
      <div className="copyable">
        <strong>{t.accessToken}</strong>
        <CopyButton text={token} label={t.accessToken} />
        <Button kind="quiet" onPress={() => setShown(!isShown)} aria-expanded={isShown}>
          {isShown ? t.hide : t.show}
        </Button>
      </div>
      {isShown && <p className="mono">{token}</p>}
      <p className="hint">{t.accessTokenUntil(until)}</p>
    </div>
  )
}
