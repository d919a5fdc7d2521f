import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** The host of virtual machines in one public cloud: by its number an address like any other. */
const cloudHost = '168.63.129.16'

/** Whether anybody on the Internet could connect to this address; an IPv4 address in IPv6 clothes counts as what it is. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || address.toString() === cloudHost) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
