import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Screen as Frame } from '../../ui/screen.tsx'
import { HookForm } from './hook-form.tsx'
import { rememberSecret } from './shown-secret.tsx'

export const Screen = () => {
  const t = useTexts('webhooks')
  const { company } = useHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <Frame title={t.add}>
      <HookForm
        save={async (body) => {
          const { id, secret } = await api.createHook({ company, body })
          rememberSecret(id, secret)
          await queries.invalidateQueries({ queryKey: ['hooks', company] })
          await navigate({ to: '/webhooks/$id', params: { id } })
        }}
      >
        <p className="muted">{t.secretAfter}</p>
      </HookForm>
    </Frame>
  )
}
