module decant

go 1.19
