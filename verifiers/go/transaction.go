package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// transaction is a verified CREATE transaction with one input and one key.
type transaction struct {
	id     string
	text   string // canonical
	signer string // the DID of the key
	key    string // base58
	asset  object
}

const (
	didPrefix    = "did:key:z"
	maxDIDLength = 64
)

const timeLayout = "2006-01-02T15:04:05.000Z"

// isTime tells whether text is a time in the one form of a bundle, so that times compare as text.
func isTime(text string) bool {
	parsed, err := time.Parse(timeLayout, text)
	return err == nil && parsed.Format(timeLayout) == text
}

func readTransaction(members object) (*transaction, error) {
	input, owner, err := singleInput(members)
	if err != nil {
		return nil, err
	}
	if !hasOnly(input, "owners_before", "fulfills", "fulfillment") {
		return nil, errors.New("an input of a transaction has other members than those of BigchainDB")
	}
	if members["version"] != "2.0" || members["operation"] != "CREATE" || input["fulfills"] != nil {
		return nil, errors.New("a transaction is not a CREATE of version 2.0")
	}
	t := &transaction{key: owner}
	if t.asset, err = readAsset(members["asset"]); err != nil {
		return nil, err
	}
	if t.text, err = ledgerForm.canonical(members); err != nil {
		return nil, err
	}
	if len(t.text) > maxTransactionBytes {
		return nil, fmt.Errorf("a transaction has more than %d bytes", maxTransactionBytes)
	}
	unsigned := with(members, "id", nil)
	if t.id, err = transactionID(unsigned); err != nil || members["id"] != t.id {
		return nil, errors.New("the id of a transaction is not that of its content")
	}
	key, err := verifyFulfillment(with(unsigned, "inputs", []any{with(input, "fulfillment", nil)}), input["fulfillment"])
	if err != nil {
		return nil, err
	}
	if base58(key) != owner {
		return nil, errors.New("a transaction is signed by a key that is not its owner")
	}
	t.signer = didPrefix + base58(append([]byte{0xed, 0x01}, key...))
	return t, nil
}

const maxTransactionBytes = 65_535

// readAsset returns asset.data, which is an object or null.
func readAsset(value any) (object, error) {
	asset, _ := value.(object)
	data, isObject := asset["data"].(object)
	if !hasOnly(asset, "data") || !isObject && asset["data"] != nil {
		return nil, errors.New("the asset of a transaction has not only data")
	}
	return data, nil
}

// hasOnly tells whether an object has these members and no others.
func hasOnly(members object, names ...string) bool {
	for _, name := range names {
		if _, exists := members[name]; !exists {
			return false
		}
	}
	return len(members) == len(names)
}

func hasOneSigner(members object) bool {
	_, _, err := singleInput(members)
	return err == nil
}

func singleInput(members object) (input object, owner string, err error) {
	if inputs, _ := members["inputs"].([]any); len(inputs) == 1 {
		input, _ = inputs[0].(object)
		if owners, _ := input["owners_before"].([]any); len(owners) == 1 {
			owner, _ = owners[0].(string)
		}
	}
	if owner == "" {
		return nil, "", errors.New("a transaction has no single signer")
	}
	return input, owner, nil
}

func transactionID(unsigned object) (string, error) {
	text, err := ledgerForm.canonical(unsigned)
	if err != nil {
		return "", err
	}
	digest := sha3Sum256([]byte(text))
	return hex.EncodeToString(digest[:]), nil
}

const fulfillmentLength = 4 + 32 + 2 + 64

// verifyFulfillment returns the key that signed.
func verifyFulfillment(signed object, fulfillment any) ([]byte, error) {
	written, _ := fulfillment.(string)
	der, err := base64.RawURLEncoding.DecodeString(written)
	if err != nil || base64.RawURLEncoding.EncodeToString(der) != written || len(der) != fulfillmentLength ||
		string(der[:4]) != "\xa4\x64\x80\x20" || string(der[36:38]) != "\x81\x40" {
		return nil, errors.New("a fulfillment is malformed")
	}
	text, err := ledgerForm.canonical(signed)
	if err != nil {
		return nil, err
	}
	digest := sha3Sum256([]byte(text))
	if !verifyEd25519(der[4:36], digest[:], der[38:]) {
		return nil, errors.New("the signature of a transaction is not valid")
	}
	return der[4:36], nil
}

// member returns a member of asset.data that is a string.
func (t *transaction) member(name string) string {
	text, _ := t.asset[name].(string)
	return text
}

func (t *transaction) hasTexts(names ...string) bool {
	for _, name := range names {
		if _, isText := t.asset[name].(string); !isText {
			return false
		}
	}
	return true
}

func with(members object, name string, value any) object {
	changed := object{}
	for other, kept := range members {
		changed[other] = kept
	}
	changed[name] = value
	return changed
}

const base58Alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

func base58(data []byte) string {
	var reversed []byte
	rest, digit := new(big.Int).SetBytes(data), new(big.Int)
	for rest.Sign() > 0 {
		rest.DivMod(rest, big.NewInt(58), digit)
		reversed = append(reversed, base58Alphabet[digit.Int64()])
	}
	for i := 0; i < len(data) && data[i] == 0; i++ {
		reversed = append(reversed, base58Alphabet[0])
	}
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	return string(reversed)
}

// isDID tells whether text is the DID of an Ed25519 key.
func isDID(text string) bool {
	encoded := strings.TrimPrefix(text, didPrefix)
	value := new(big.Int)
	for i := 0; i < len(encoded) && i < maxDIDLength; i++ {
		digit := strings.IndexByte(base58Alphabet, encoded[i])
		if digit < 0 {
			return false
		}
		value.Add(value.Mul(value, big.NewInt(58)), big.NewInt(int64(digit)))
	}
	data := value.Bytes()
	return len(data) == 34 && didPrefix+base58(data) == text && data[0] == 0xed && data[1] == 0x01 &&
		isStrictPoint(data[2:])
}

func hexSHA256(data []byte) string {
	digest := sha256.Sum256(data)
	return hex.EncodeToString(digest[:])
}
