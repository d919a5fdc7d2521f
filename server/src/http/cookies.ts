/** The value of a cookie of this name, as the browser sent it. */
export const cookieOf = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

export type CookieSpec = {
  readonly name: string
  readonly sameSite: 'Strict' | 'Lax'
  readonly seconds: number
}

export type Cookie = {
  set(value: string): string
  clear(): string
  read(header: string | undefined): string | undefined
}

/** A cookie that scripts cannot read. `__Host-` binds it to exactly this host; browsers allow that over HTTPS only. */
export const hostCookie = (publicUrl: string, { name, sameSite, seconds }: CookieSpec): Cookie => {
  const isSecure = publicUrl.startsWith('https:')
  const fullName = `${isSecure ? '__Host-' : ''}${name}`
  const write = (value: string, maxAge: number) =>
    [
      `${fullName}=${value}`,
      'Path=/',
      `Max-Age=${maxAge}`,
      'HttpOnly',
      `SameSite=${sameSite}`,
      ...(isSecure ? ['Secure'] : []),
    ].join('; ')
  return {
    set: (value) => write(value, seconds),
    clear: () => write('', 0),
    read: (header) => cookieOf(header, fullName),
  }
}
