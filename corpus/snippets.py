"""The scripts in JavaScript, Lua and SQL that gen.py fills in for the interpreters and the database of the corpus.
%(n)d (in JavaScript the second number) is the size, %(seed)d (the first) where the script's own generator of numbers
starts. What a script prints depends on these alone: no clock, no address, no order of a hash table, no digit that a
compiler may round."""

# JavaScript
JS = {
    "sort": "var a=[];var x=%d;for(var i=0;i<%d;i++){x=(x*1103515245+12345)%%2147483648;a.push(x%%1000);"
            "}a.sort(function(p,q){return p-q});print(a[0],a[a.length>>1]);",
    "sieve": "var n=%d*0+%d*8;var s=[];for(var i=2;i<n;i++)s[i]=1;for(var i=2;i*i<n;i++)if(s[i])for(var j=i*i;"
             "j<n;j+=i)s[j]=0;var c=0;for(var i=2;i<n;i++)c+=s[i];print(c);",
    "string": "var t='';var x=%d;for(var i=0;i<%d;i++){x=(x*69069+1)%%4294967296;"
              "t+=String.fromCharCode(97+x%%26);if(i%%7==0)t=t.replace('ab','');"
              "}print(t.length,t.split('e').length);",
    "object": "var o={};var x=%d;for(var i=0;i<%d;i++){x=(x*69069+1)%%4294967296;var k='k'+(x%%97);"
              "o[k]=(o[k]||0)+1;}var m=0;for(var k in o)if(o[k]>m)m=o[k];print(m);",
    "throw": "var x=%d,c=0;for(var i=0;i<%d;i++){try{x=(x*69069+1)%%4294967296;"
             "if(x%%3==0)throw new Error('e'+x%%5);c+=1;}catch(e){c+=e.message.length;}finally{c^=1;}}print(c);",
    "regexp": "var x=%d,c=0;for(var i=0;i<%d;i++){x=(x*69069+1)%%4294967296;var s=x.toString(2);"
              "var m=/(1+0+)+11(01)*$/.exec(s);if(m)c+=m[0].length;}print(c);",
}

# Lua: rnd() is the script's own generator, so that no library's decides what it does.
LUA_HEAD = """local x=%(seed)d
local function rnd(m) x=(x*1103515245+12345)%%2147483648 return (x>>8)%%m end
"""
LUA = {
    "sort": """
local a={} for i=1,%(n)d do a[i]=rnd(100000) end
table.sort(a) local b={} for i,v in ipairs(a) do b[i]={k=v%%97,v=v} end
table.sort(b,function(p,q) if p.k~=q.k then return p.k<q.k end return p.v<q.v end)
print(a[1],a[#a//2+1],b[1].v,b[#b].v)""",
    "tables": """
local t={} for i=1,%(n)d do local k='k'..rnd(%(n)d//3+5) t[k]=(t[k] or 0)+i end local c,s=0,0 for k,v in
pairs(t) do c=c+1 s=s+v+#k end
local q={} for i=1,%(n)d do q[#q+1]=rnd(50) if #q>40 then table.remove(q,1) end end
print(c,s,table.concat(q,',',1,3))""",
    "strings": """
local t={} for i=1,%(n)d do t[#t+1]=string.char(97+rnd(26)):rep(1+rnd(5)) end local s=table.concat(t)
local u=s:upper():reverse() local c=0 for i=1,#u do c=(c*31+u:byte(i))%%1000003 end
print(#s,c,s:sub(1,9),string.format('%%5.2f|%%-6s|%%x',#s/7,u:sub(1,4),c))""",
    "patterns": """
local s=io.read('a') local n,w=0,{} for k in s:gmatch('%%a+') do w[k]=(w[k] or 0)+1 n=n+1 end
local d=0 for k,v in s:gmatch('(%%w+)%%s+(%%w*e%%w-)[%%.,]') do d=d+#k+#v end local
r,m=s:gsub('(t)(i?)([nr])','%%3%%2%%1')
local best='' for k,v in pairs(w) do if best=='' or v>w[best] or v==w[best] and k<best then best=k end end
print(n,d,m,#r,best,w[best],(s:sub(1,250):find('^.*s.-o.-n%%.')))""",
    "closures": """
local function compose(f,g) return function(v) return f(g(v)) end end
local f=function(v) return v end for i=1,%(n)d%%60+5 do local k=rnd(9) f=compose(f,function(v) return
(v*k+i)%%10007 end) end
local function counter() local c=0 return function() c=c+1 return c end end local s=0 for i=1,%(n)d//8+1 do
local c=counter() s=s+c()+c() if i%%8==0 then s=s+f(i) end end print(s)""",
    "coroutines": """
local function gen(n) return coroutine.wrap(function() for i=1,n do coroutine.yield(rnd(1000)) end end) end
local function keep(g,m) return coroutine.wrap(function() for v in g do if v%%m~=0 then coroutine.yield(v) end
end end) end
local s,c=0,0 for v in keep(keep(gen(%(n)d),3),5) do s=s+v c=c+1 end print(s,c)""",
    "numeric": """
local n=%(n)d//60+4 local s=0.0 for py=0,n-1 do for px=0,n-1 do local
a,b,cr,ci,k=0.0,0.0,px*2.5/n-1.8,py*2.0/n-1.0,0
while a*a+b*b<4 and k<40 do a,b=a*a-b*b+cr,2*a*b+ci k=k+1 end s=s+k end end print(string.format('%%.0f',s),
7//2, %(n)d%%13, (1<<40)//%(n)d)""",
    "objects": """
local P={} P.__index=P P.__add=function(a,b) return P.new(a.x+b.x,a.y+b.y) end P.__lt=function(a,b) return
a.x<b.x end
function P.new(x,y) return setmetatable({x=x,y=y},P) end function P:norm() return
(self.x*self.x+self.y*self.y)%%65537 end
local s,best=P.new(0,0),P.new(0,0) for i=1,%(n)d do local p=P.new(rnd(100),rnd(100)) s=s+p if best<p then best=p
end s.x=s.x+p:norm()%%3 end print(s.x,s.y,best.x)""",
    "errors": """
local function risky(d) if d==0 then if rnd(3)==0 then error({code=rnd(5)}) end return 1 end return 1+risky(d-1)
end
local s=0 for i=1,%(n)d//6+1 do local ok,e=pcall(risky,rnd(12)) if ok then s=s+e else s=s-e.code end end
print(s,select(2,pcall(function() local q=nil return q.z end)))""",
    "lists": """
local head=nil for i=1,%(n)d do head={v=rnd(100),next=head} end local r=nil while head do local q=head.next
head.next=r r=head head=q end
local s=0 while r do s=(s*7+r.v)%%1000003 r=r.next end local g=0 for i=1,%(n)d//4 do local t={i,{i+1},'s'..i}
g=g+#t end print(s,g)""",
    "load": r"""
local t={} for i=1,%(n)d//12+2 do
t[#t+1]=('local a%%d=%%d if a%%d>%%d then s=s+a%%d*2 else s=s-1 end'):format(i%%150,rnd(99),i%%150,rnd(99),i%%150)
if i%%150==149 then t[#t+1]='end do' end end
print(assert(load('local s=0 do '..table.concat(t,'\n')..' end return s'))())""",
}
LUA_DEEP = {  # of small n
    "queens": """
local n,c=%(n)d,0 local function ok(a,k,v) for j=1,k-1 do
if a[j]==v or a[j]-j==v-k or a[j]+j==v+k then return false end end return true end
local function go(a,k) if k>n then c=c+1 return end for v=1,n do if ok(a,k,v) then a[k]=v go(a,k+1) end end end
go({},1) print(c)""",
    "fib": "local function f(n) if n<2 then return n end return f(n-1)+f(n-2) end print(f(%(n)d))",
}

# SQL over tables a(id, k, v, name) and b(id, k, w); %(k)d is a key. Without an index SQL_PAIRS take time as rows
# squared; SQL_ALONE need no table.
SQL_TABLES = """create table a(id integer primary key, k int, v int, name text);
create table b(id integer primary key, k int, w int);
"""
SQL_INDEX = "create index ak on a(k); create index bk on b(k, w); create index an on a(name);\n"
SQL = {
    "group": """
select k, count(*), sum(v), max(name) from a group by k having count(*) > 1 order by sum(v) desc, k limit 5;""",
    "sort": """
select id, name from a order by name desc, v, id limit 7 offset %(k)d; select count(distinct v), count(distinct
name) from a;""",
    "like": """
select count(*), min(name) from a where name like '%%t%%n%%' or name like 'so%%'; select count(*) from a where
name glob '*[ei]s';""",
    "text": """
select k, length(group_concat(upper(name), '; ')), sum(instr(name, 'e')) from a where k < 9 group by k; select
count(*) from a where replace(name, 'n', 'mm') > substr(name, 2);""",
    "point": """
with recursive s(i) as (select 1 union all select i + 1 from s where i < 60) select sum((select count(*) from a
where k = i %% 40)) from s;""",
    "update": """
begin; update a set v = v + k where k %% 3 = 1; delete from a where v %% 11 = 0; insert into a select id +
1000000, k, v, name || 'x' from a where k = %(k)d; rollback; select total(v) from a;""",
    "change": """
update a set name = substr(name, 1, 3) || id where v > 400; delete from a where k = %(k)d; select count(*),
sum(length(name)) from a;""",
    "window": """
select k, v, sum(v) over (partition by k order by v, id), rank() over (order by v desc, id) from a order by 4
limit 5;""",
    "real": """
select round(avg(v / 7.0), 4), round(sum(v * 0.25 - k), 3), printf('%%08.3f', max(v) / 3.0) from a;""",
    "broken": """
insert into a(id, k) select id, 1 from a limit 1; select nothing from a; select v from a where id = 1 union
select 2, 3;""",
}
SQL_PAIRS = {
    "join": "select count(*), sum(a.v * b.w) from a join b on a.k = b.k;",
    "exists": "select count(*) from a where exists (select 1 from b where b.k = a.k and b.w > a.v);",
    "left": """
select a.k, count(b.id) from a left join b on b.k = a.k and b.w = a.v group by a.k order by 2 desc, 1 limit 4;""",
}
SQL_ALONE = {
    "series": """
with recursive s(i, x) as (values(1, %(seed)d) union all select i + 1, (x * 1103515245 + 12345) & 2147483647
from s where i < %(n)d)
select count(*), sum(x %% 1000), max(x) from s;""",
    "mandelbrot": """
with recursive xs(x) as (values(-2.0) union all select x + 0.1 from xs where x < 1.2), ys(y) as (values(-1.0)
union all select y + 0.2 from ys where y < 1.0),
m(iter, cx, cy, x, y) as (select 0, x, y, 0.0, 0.0 from xs, ys union all select iter + 1, cx, cy, x * x - y * y
+ cx, 2.0 * x * y + cy from m where x * x + y * y < 4.0 and iter < %(n)d / 100 + 2)
select group_concat(substr(' .+*#', 1 + min(mi / 2, 4), 1), '') from (select max(iter) as mi, cx, cy from m
group by cy, cx);""",
    "tree": """
create table t(id integer primary key, up int);
with recursive s(i) as (values(2) union all select i + 1 from s where i < %(n)d) insert into t select i, i / (2
+ %(seed)d %% 5) from s;
with recursive d(id, depth) as (select 2, 0 union all select t.id, depth + 1 from t join d on t.up = d.id)
select count(*), max(depth), sum(id * depth %% 7) from d;""",
}
