package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const tileHeight = 8

// tiles reads tiles for package tlog.
type tiles struct{ *watcher }

func (tiles) Height() int { return tileHeight }

func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var read [][]byte
	for _, tile := range wanted {
		data, err := t.fetch(tilePath(tile))
		if errors.Is(err, os.ErrNotExist) && tile.W < 1<<tileHeight {
			// C2SP tlog-tiles: a log may delete a partial tile when it has the full one.
			tile.W = 1 << tileHeight
			data, err = t.fetch(tilePath(tile))
		}
		if err != nil {
			return nil, err
		}
		read = append(read, data)
	}
	for i, tile := range wanted {
		if size := tile.W * tlog.HashSize; len(read[i]) > size {
			read[i] = read[i][:size]
		}
	}
	return read, nil
}

// tilePath is the path of C2SP tlog-tiles, which does not have the height that package tlog writes.
func tilePath(tile tlog.Tile) string {
	return strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight), "tile/", 1)
}
