"""The lossless text notation: everything a JSON value says, in few tokens; a decoder in the tests proves it.

    state: open
    items[3]{number,user,labels[]{id,name},note?}
    # every row: locked=false, url=https://api.example/issues/{number}
    1,&joe,[7,bug;9,ui]
    2,&ann,[],see #1,assignee=&joe
    &user[2]{&login,id}

One line is `name: value`, `name:` with lines below it, one space further in, `name (3 lines):` with that many lines
of text, or a table, `name[rows]{columns}`. In a table an empty cell is null, or, where the column's name ends in `?`,
an absent field; `:str` says that the cells are strings; `a=b` that two columns are equal; cells that few rows have
stand at the row's end as name=value. `# every row:` holds constants and texts made of other columns, {*} being the
column's own cell. &label is a row of the table whose name begins with &.
"""

from service.core.exact.outline import exact as exact
