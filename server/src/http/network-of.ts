import ipaddr from 'ipaddr.js'

/** An IPv6 /64 counts as one client: a single household has all of its addresses. */
export const networkOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString()
}
