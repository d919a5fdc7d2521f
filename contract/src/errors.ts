/**
 * The closed catalogue of what can go wrong. A code is thrown in the server, its status, name and sentence are what a
 * client sees; whatever is specific to one call (the field, the limit) goes into `details`.
 */
export type ErrorEntry = { readonly status: number; readonly name: string; readonly message: string }

const badRequest = (message: string) => ({ status: 400, name: 'BadRequestException', message }) as const
const unauthorized = (message: string) => ({ status: 401, name: 'UnauthorizedException', message }) as const
const forbidden = (message: string) => ({ status: 403, name: 'ForbiddenException', message }) as const
const notFound = (message: string) => ({ status: 404, name: 'NotFoundException', message }) as const
const notAcceptable = (message: string) => ({ status: 406, name: 'NotAcceptableException', message }) as const
const gone = (message: string) => ({ status: 410, name: 'GoneException', message }) as const
const conflict = (message: string) => ({ status: 409, name: 'ConflictException', message }) as const

export const errors = {
  validation_failed: badRequest('The request is not valid'),
  malformed_json: badRequest('The body is not well-formed JSON'),
  malformed_multipart: badRequest('The multipart body is not well-formed'),
  malformed_url: badRequest('The URL is not well-formed'),
  malformed_request: badRequest('The request could not be read'),
  company_header_missing: badRequest('The header company is required'),
  id_mismatch: badRequest('The id in the body is not the id in the path'),
  scope_unknown: badRequest('A scope names a resource or an action that does not exist'),
  grant_type_unsupported: badRequest('The only grant type is client_credentials'),
  vat_id_invalid: badRequest('The VAT id is not valid'),
  mfa_code_wrong: badRequest('The code is wrong or was used before'),
  coin_type_unsupported: badRequest('This coin type cannot be used here'),
  language_unsupported: badRequest('There is no word list for this language'),
  mnemonic_invalid: badRequest('The mnemonic is not valid in this language'),
  identity_not_usable: badRequest(
    'This identity cannot sign: it is obsolete, or its wallet is disabled or of the other mode',
  ),
  transaction_invalid: badRequest('The ledger does not accept this transaction'),
  certificate_invalid: badRequest('The certificate does not conform to its schema'),
  hook_target_refused: badRequest('This connectionUrl cannot be a target'),
  link_invalid: unauthorized('The link is not valid or has expired'),
  unauthenticated: unauthorized('An access token is required'),
  token_invalid: unauthorized('The access token is not valid'),
  token_expired: unauthorized('The access token has expired'),
  credentials_wrong: unauthorized('The credentials are wrong'),
  mfa_code_required: unauthorized('A code of an authenticator is required to sign in'),
  email_unconfirmed: forbidden('The e-mail address is not confirmed yet'),
  user_inactive: forbidden('The user is not active'),
  person_required: forbidden('This operation is reserved to signed-in users: an application cannot call it'),
  step_up_required: forbidden('Sign in again to do this'),
  mfa_locked: forbidden('Too many wrong codes: this authenticator is locked for an hour'),
  signature_invalid: forbidden('The signature of the callback is not valid'),
  role_missing: forbidden('This operation is reserved to operators of the platform'),
  scope_missing: forbidden('The token has no scope for this operation'),
  scope_exceeded: forbidden('The scopes go beyond what their creator may do'),
  member_role_missing: forbidden('The role in the company does not allow this'),
  application_limit_reached: forbidden('The company has as many applications as it can have'),
  company_foreign: forbidden('The caller is not a member of this company'),
  mode_mismatch: forbidden('The token belongs to the other mode'),
  company_unverified: forbidden('Live resources require a verified company'),
  mfa_required: forbidden('This requires multi-factor authentication (MFA): enable an authenticator first'),
  not_found: notFound('The resource does not exist'),
  route_unknown: notFound('There is no such endpoint'),
  version_unknown: notFound('There is no such API version'),
  member_unknown: notFound('There is no user with this e-mail address'),
  schema_unknown: notFound('There is no schema with this RefSchemaUrl'),
  invalid_mode: notAcceptable('The mode must be test or live'),
  coin_type_unacceptable: notAcceptable('The coin type is not acceptable'),
  signature_type_unsupported: notAcceptable('Transactions cannot be signed this way'),
  password_rejected: notAcceptable('The password is not acceptable'),
  user_exists: conflict('A user with this username or e-mail address exists already'),
  company_exists: conflict('A company with this VAT id exists already'),
  member_exists: conflict('The user is a member of the company already'),
  last_admin: conflict('A company needs at least one admin'),
  authenticator_confirmed: conflict('The authenticator is confirmed already'),
  mfa_not_enabled: conflict('There is no confirmed authenticator'),
  coin_type_exists: conflict('The coin type exists already'),
  coin_type_in_use: conflict('Nodes use this coin type still: delete them first'),
  wallet_exists: conflict('The company has a wallet in this mode already'),
  wallet_disabled: conflict('The wallet is disabled: recover it first'),
  wallet_backed_up: conflict('The mnemonic was shown for backup already'),
  identity_exists: conflict('The identity exists already'),
  transaction_conflict: conflict(
    'What this transaction spends is spent, or what it records is recorded already',
  ),
  certificate_pending: conflict('The notarization of this certificate has not ended yet'),
  delivery_not_failed: conflict('Only a failed delivery can be retried'),
  hook_disabled: conflict('The hook is disabled'),
  idempotency_running: conflict('A request with this Idempotency-Key is still running'),
  certificate_erased: gone('The retention of this certificate is over: only its hashes are left'),
  body_too_large: { status: 413, name: 'PayloadTooLargeException', message: 'The body is too large' },
  url_too_long: { status: 414, name: 'UriTooLongException', message: 'The URL is too long' },
  media_type_unsupported: {
    status: 415,
    name: 'UnsupportedMediaTypeException',
    message: 'The content type is not supported here',
  },
  idempotency_mismatch: {
    status: 422,
    name: 'UnprocessableEntityException',
    message: 'This Idempotency-Key was used with another request',
  },
  rate_limited: { status: 429, name: 'ThrottlerException', message: 'Too many requests' },
  headers_too_large: {
    status: 431,
    name: 'RequestHeaderFieldsTooLargeException',
    message: 'The request headers are too large',
  },
  request_timeout: {
    status: 408,
    name: 'RequestTimeoutException',
    message: 'The request took too long to arrive',
  },
  internal: {
    status: 500,
    name: 'InternalServerErrorException',
    message: 'Something went wrong on our side',
  },
  not_implemented: {
    status: 501,
    name: 'NotImplementedException',
    message: 'This operation is declared but not built yet',
  },
  unavailable: {
    status: 503,
    name: 'ServiceUnavailableException',
    message: 'A part this operation depends on is not available right now: try again',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errors

/** Given before or beside every operation, by the server as a whole: no operation lists them. */
export const plumbingErrors = [
  'malformed_request',
  'route_unknown',
  'url_too_long',
  'headers_too_large',
  'request_timeout',
  'not_implemented',
] as const satisfies readonly ErrorCode[]
