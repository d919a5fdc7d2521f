/** Five calls with the client that openapi-generator writes for TypeScript. Compiled beside it, not here. */
export const fetchCalls = `
import { AuthApi, CertificateJsonDtoFromJSON, CertificatesApi, Configuration, IdentitiesApi, UsersApi } from './index.js'

const { API_URL: basePath = '', USERNAME: username = '', PASSWORD: password = '', COMPANY: company = '', CERTIFICATE = '' } = process.env
const { accessToken } = await new AuthApi(new Configuration({ basePath })).authLogin({ loginBodyDto: { username, password } })
const configuration = new Configuration({ basePath, accessToken })
const me = await new UsersApi(configuration).usersReadMe({})
const [identity] = await new IdentitiesApi(configuration).identitiesList({ mode: 'test', company })
if (identity === undefined) throw new Error('no identity')
const certificateJsonDto = CertificateJsonDtoFromJSON(JSON.parse(CERTIFICATE))
const certificates = new CertificatesApi(configuration)
const notarization = await certificates.certificatesNotarize({ identity: identity.id, mode: 'test', company, certificateJsonDto })
const verification = await certificates.certificatesVerify({ mode: 'test', certificateJsonDto })
console.log(JSON.stringify([me.username, notarization.hash.value, verification.hash.value]))
`

/** The same with openapi-fetch and the types that openapi-typescript writes. */
export const openApiFetchCalls = `
import createClient from 'openapi-fetch'
import type { paths } from './types.js'

const { API_URL: baseUrl = '', USERNAME: username = '', PASSWORD: password = '', COMPANY: company = '', CERTIFICATE = '' } = process.env
const dataOf = <T>({ data, error }: { data?: T; error?: unknown }): T => {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
const { accessToken } = dataOf(await createClient<paths>({ baseUrl }).POST('/auth/login', { body: { username, password } }))
const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${accessToken}\` } })
const me = dataOf(await client.GET('/users/me'))
const header = { company }
const [identity] = dataOf(await client.GET('/identities', { params: { query: { mode: 'test' }, header } }))
if (identity === undefined) throw new Error('no identity')
const body: { RefSchemaUrl: string; [name: string]: unknown } = JSON.parse(CERTIFICATE)
const query = { mode: 'test', identity: identity.id } as const
const notarization = dataOf(await client.POST('/certificates/notarize', { params: { query, header }, body }))
const verification = dataOf(await client.POST('/certificates/verify', { params: { query: { mode: 'test' } }, body }))
console.log(JSON.stringify([me.username, notarization.hash.value, verification.hash.value]))
`
