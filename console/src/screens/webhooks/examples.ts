/** Each verifies `webhook-signature` over the raw body, with the secret that begins with `whsec_`. */
export const examples = {
  Node: `import { createHmac, timingSafeEqual } from 'node:crypto'

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64')

export function isGenuine(headers, rawBody) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(rawBody).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}`,
  Python: `import base64, hashlib, hmac, os, time

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, raw_body: bytes) -> bool:
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    expected = hmac.new(key, f"{id}.{timestamp}.".encode() + raw_body, hashlib.sha256).digest()
    return any(
        hmac.compare_digest(base64.b64decode(signature.removeprefix("v1,")), expected)
        for signature in headers["webhook-signature"].split(" ")
    )`,
  Go: `func isGenuine(h http.Header, rawBody []byte) bool {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	id, timestamp := h.Get("webhook-id"), h.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(rawBody)
	for _, signature := range strings.Split(h.Get("webhook-signature"), " ") {
		given, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(signature, "v1,"))
		if hmac.Equal(given, mac.Sum(nil)) {
			return true
		}
	}
	return false
}`,
  Java: `static boolean isGenuine(Map<String, String> headers, byte[] rawBody) throws Exception {
  byte[] key = Base64.getDecoder().decode(System.getenv("WEBHOOK_SECRET").substring("whsec_".length()));
  String id = headers.get("webhook-id"), timestamp = headers.get("webhook-timestamp");
  if (Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(timestamp)) > 300) return false;
  Mac mac = Mac.getInstance("HmacSHA256");
  mac.init(new SecretKeySpec(key, "HmacSHA256"));
  mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
  byte[] expected = mac.doFinal(rawBody);
  for (String signature : headers.get("webhook-signature").split(" "))
    if (MessageDigest.isEqual(expected, Base64.getDecoder().decode(signature.replace("v1,", "")))) return true;
  return false;
}`,
  'C#': `static bool IsGenuine(IHeaderDictionary headers, byte[] rawBody)
{
    var key = Convert.FromBase64String(Environment.GetEnvironmentVariable("WEBHOOK_SECRET")!["whsec_".Length..]);
    string id = headers["webhook-id"]!, timestamp = headers["webhook-timestamp"]!;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) > 300) return false;
    var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(rawBody).ToArray();
    var expected = HMACSHA256.HashData(key, signed);
    return headers["webhook-signature"].ToString().Split(' ').Any(signature =>
        CryptographicOperations.FixedTimeEquals(expected, Convert.FromBase64String(signature.Replace("v1,", ""))));
}`,
} as const
